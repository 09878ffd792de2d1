/** An OpenAPI 3.1 document, as far as these checks read it. */
export interface Api { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>> | boolean

/** Content by its media type. */
type Content = Readonly<Record<string, { readonly schema?: Schema }>>

/** A parameter of a request. */
export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'header' | 'path' | 'cookie'
  readonly required?: boolean
  readonly schema: Schema
}

/** A documented response. */
export interface Documented {
  readonly headers?: Readonly<Record<string, { readonly schema: Schema, readonly required?: boolean }>>
  readonly content?: Content
}

/** A documented operation. */
export interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean, readonly content: Content }
  readonly responses: Readonly<Record<string, Documented>>
}

/** The operation of a request, and the values in its path; `undefined`: none is documented. */
export function findOperation (
  { paths }: Api, method: string, path: string
): { template: string, operation: Operation, values: Record<string, string> } | undefined {
  // Literal paths first: `/customer/events` is not the customer "events".
  const templates = Object.keys(paths).sort((one, other) => one.split('{').length - other.split('{').length)
  for (const template of templates) {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '([^/]*)')
    const match = new RegExp(`^${pattern}/?$`).exec(path)
    const operation = paths[template]![method.toLowerCase() === 'head' ? 'get' : method.toLowerCase()]
    if (match === null || operation === undefined) continue
    return { template, operation, values: Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(match[index + 1]!)])) }
  }
  return undefined
}

/** The documented response of a status: exact, by its range, or the default. */
export function findResponse ({ responses }: Operation, status: number): Documented | undefined {
  return responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default
}

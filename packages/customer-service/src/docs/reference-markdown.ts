import { codeBlock } from '@frontdesk/service-kit/pages/markdown'
import type { Sample } from './samples.js'

/** What the reference shows of the OpenAPI document. */
export interface ReferenceDocument {
  readonly info: { readonly description?: string }
  readonly tags?: ReadonlyArray<{ readonly name: string, readonly description?: string }>
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: ReadonlyArray<Readonly<Record<string, readonly string[]>>>
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
  readonly responses: Readonly<Record<string, { readonly description?: string }>>
  readonly 'x-codeSamples'?: readonly Sample[]
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Writes the API reference in Markdown. @param prefix of every path */
export function renderReference ({ info, tags = [], paths = {}, components }: ReferenceDocument, prefix: string): string {
  const links = `[OpenAPI document](${prefix}/openapi.json) · [Problems](${prefix}/problems.md)`
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ tag: operation.tags?.[0], text: renderOperation(`${method.toUpperCase()} ${path}`, operation) })))
  const groups = tags.map(({ name, description }) =>
    [`## ${description}`, ...operations.filter(({ tag }) => tag === name).map(({ text }) => text)].join('\n\n'))
  return `${['# Customer register: API reference', info.description, links, ...groups].join('\n\n')}\n`

  function renderOperation (line: string, operation: Operation) {
    const { summary, description, security = [], parameters = [], requestBody, responses } = operation
    const scopes = security[0] === undefined ? [] : Object.values(security[0])[0] ?? []
    const sample = operation['x-codeSamples']?.find(({ label }) => label === 'curl')
    return [
      `### ${summary}`,
      `\`${line}\``,
      description,
      scopes.length === 0 ? undefined : `Scopes: ${scopes.map(scope => `\`${scope}\``).join(', ')}.`,
      listed('Parameters', parameters.map(parameter => field(`${parameter.name}\` (${parameter.in}`, parameter.schema, parameter))),
      ...Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => renderBody(type, schema)),
      listed('Responses', Object.entries(responses).map(([status, response]) => `${status}: ${response.description}`)),
      sample && codeBlock(sample.source, 'sh')
    ].filter(part => part !== undefined).join('\n\n')
  }

  function renderBody (type: string, schema: Schema = {}) {
    const { properties = {}, required = [] } = schema.$ref === undefined ? schema : components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}
    const fields = Object.entries(properties).map(([name, property]) =>
      field(`${name}\` (`, property, { required: required.includes(name), description: property.description }))
    return listed(`Body: \`${type}\``, fields) ?? `Body: \`${type}\`.`
  }
}

/** A list below a line, or nothing if it is empty. */
function listed (title: string, items: readonly string[]) {
  return items.length === 0 ? undefined : `${title}:\n\n${items.map(item => `- ${item}`).join('\n')}`
}

function field (name: string, { type, enum: values }: Schema, { required, description }: Pick<Parameter, 'required'> & { description?: string | undefined }) {
  const kind = values?.map(value => JSON.stringify(value)).join(', ') ?? [type ?? 'object'].flat().join(' or ')
  const traits = [kind, ...(required === true ? ['required'] : [])].join(', ')
  return `\`${name}${name.endsWith('(') ? '' : ', '}${traits})${description === undefined ? '' : `: ${description}`}`
}

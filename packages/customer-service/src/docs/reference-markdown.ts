import { codeBlock, renderMarkdown } from '@frontdesk/service-kit/pages/markdown'
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
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags?.[0], blocks: renderOperation(`${method.toUpperCase()} ${path}`, operation)
    })))
  return renderMarkdown([
    '# Customer register: API reference',
    info.description,
    `[OpenAPI document](${prefix}/openapi.json) · [Problems](${prefix}/problems.md)`,
    ...tags.flatMap(({ name, description }) => [
      `## ${description}`,
      ...operations.filter(({ tag }) => tag === name).flatMap(({ blocks }) => blocks)
    ])
  ])

  function renderOperation (line: string, operation: Operation) {
    const { summary, description, security = [], parameters = [], requestBody, responses } = operation
    const scopes = security[0] === undefined ? [] : Object.values(security[0])[0] ?? []
    const sample = operation['x-codeSamples']?.find(({ label }) => label === 'curl')
    return [
      `### ${summary}`,
      `\`${line}\``,
      description,
      scopes.length === 0 ? undefined : `Scopes: ${scopes.map(scope => `\`${scope}\``).join(', ')}.`,
      renderList('Parameters', parameters.map(({ name, in: place, schema, required, description }) =>
        renderField(name, [place, ...traitsOf(schema, required)], description))),
      ...Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => renderBody(type, schema)),
      renderList('Responses', Object.entries(responses).map(([status, response]) => `${status}: ${response.description}`)),
      sample && codeBlock(sample.source, 'sh')
    ]
  }

  function renderBody (type: string, { $ref, ...inline }: Schema = {}) {
    const { properties = {}, required = [] } = components?.schemas?.[$ref?.split('/').at(-1) ?? ''] ?? inline
    const fields = Object.entries(properties).map(([name, schema]) =>
      renderField(name, traitsOf(schema, required.includes(name)), schema.description))
    return renderList(`Body: \`${type}\``, fields) ?? `Body: \`${type}\`.`
  }
}

/** A list below a line, or nothing if it is empty. */
function renderList (title: string, items: readonly string[]) {
  return items.length === 0 ? undefined : `${title}:\n\n${items.map(item => `- ${item}`).join('\n')}`
}

function renderField (name: string, traits: readonly string[], description = '') {
  return `\`${name}\` (${traits.join(', ')})${description === '' ? '' : `: ${description}`}`
}

/** The type of a value, or its possible values, and whether it is required. */
function traitsOf ({ type = 'object', enum: values }: Schema, isRequired = false) {
  return [values?.map(value => JSON.stringify(value)).join(', ') ?? [type].flat().join(' or '), ...isRequired ? ['required'] : []]
}

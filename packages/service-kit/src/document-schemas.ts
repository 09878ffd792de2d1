import { isDeepStrictEqual } from 'node:util'

type Schemas = Record<string, unknown>

/** Members whose values are not schemas. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const'])

/**
 * Moves each schema with a title to `components.schemas`, under its title, and refers to it there. @fastify/swagger does this for an
 * `$id`, but not in `content`.
 * @throws Error if two schemas have the same title
 */
export function documentSchemas<Api extends { paths?: object, components?: object }> (api: Api): Api {
  const schemas: Schemas = {}
  const paths = withReferences(api.paths, schemas)
  return { ...api, components: { ...api.components, schemas }, paths }
}

function withReferences (value: unknown, schemas: Schemas): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(it => withReferences(it, schemas))
  const whole = Object.fromEntries(Object.entries(value).map(([name, it]: [string, unknown]) =>
    [name, DATA.has(name) ? it : withReferences(it, schemas)]))
  const { title, ...members } = whole
  // A property can have that name.
  if (typeof title !== 'string') return whole
  if (!isDeepStrictEqual(schemas[title] ??= members, members)) throw new Error(`Two schemas have the title ${title}.`)
  return { $ref: `#/components/schemas/${title}` }
}

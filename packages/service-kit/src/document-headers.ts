/** A response header, and the responses of an OpenAPI document that have it. */
export interface HeaderRule {
  readonly name: string
  readonly description: string
  /** Default: `string`. */
  readonly type?: 'string' | 'integer'
  /** Matches the statuses of the document, such as `201` and `4XX`. */
  readonly statuses: RegExp
  /** Default: all operations. */
  readonly operations?: readonly string[]
}

/** The parts of an OpenAPI document that headers are added to. */
interface Document {
  components?: { headers?: Record<string, object> }
  readonly paths?: Readonly<Record<string, Readonly<Record<string, {
    readonly operationId?: string
    readonly responses?: Record<string, { headers?: Record<string, object> }>
  }>>>>
}

/** Headers of both services. */
export const commonHeaders: readonly HeaderRule[] = [
  { name: 'x-request-id', description: 'Identifies the request in the log.', statuses: /^/ },
  { name: 'retry-after', description: 'Seconds to wait.', type: 'integer', statuses: /^(429|503|4XX|5XX)$/ },
  { name: 'www-authenticate', description: 'How to authenticate (RFC 9110 §11.6.1).', statuses: /^(401|403|4XX)$/ },
  { name: 'accept', description: 'Content types that the operation accepts (RFC 9110 §15.5.16).', statuses: /^(415|4XX)$/ },
  { name: 'dpop-nonce', description: 'The nonce of the next proof (RFC 9449 §8.2).', statuses: /^(2\d\d|30\d|401|4XX)$/ }
]

/** Adds response headers to an OpenAPI document, each once in `components.headers`. Route schemas lack them, because hooks set them. */
export function documentHeaders<Api extends object> (api: Api, rules: readonly HeaderRule[]): Api {
  // as: an OpenAPI document.
  const document = api as Document
  const operations = Object.values(document.paths ?? {}).flatMap(item => Object.values(item))
  const headers = rules.map(({ name, description, type = 'string' }) => [name, { description, schema: { type } }])
  document.components = { ...document.components, headers: Object.fromEntries(headers) }
  for (const { operationId = '', responses = {} } of operations) {
    for (const [status, response] of Object.entries(responses)) {
      const found = rules.filter(({ statuses, operations }) => statuses.test(status) && operations?.includes(operationId) !== false)
      const references = found.map(({ name }) => [name, { $ref: `#/components/headers/${name}` }])
      response.headers = { ...Object.fromEntries(references), ...response.headers }
    }
  }
  return api
}

import type { IncomingHttpHeaders } from 'node:http'
import { findOperation, findResponse, type Api, type Documented, type Operation, type Parameter } from './document.js'
import { whyNot } from './schemas.js'

/** A request and its response, as they were on the wire; bodies without compression. */
export interface Exchange {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly status: number
  readonly answered: IncomingHttpHeaders
  /** `undefined`: it was not complete, or is too long. */
  readonly answer: string | undefined
}

/** Headers of HTTP and of browsers, which every response may have (RFC 9110, RFC 9111, Fetch). */
const USUAL = new Set([
  'date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-type', 'content-encoding', 'vary', 'cache-control',
  'content-security-policy', 'referrer-policy', 'x-content-type-options', 'x-frame-options', 'strict-transport-security', 'permissions-policy',
  'cross-origin-opener-policy', 'cross-origin-resource-policy', 'access-control-allow-origin', 'access-control-expose-headers', 'set-cookie', 'pragma'
])

/** What an exchange has that the document has not, or has otherwise; a sentence each. A request that was refused may be wrong. */
export function differences (api: Api, exchange: Exchange): string[] {
  const { method, url, status } = exchange
  const path = url.split('?')[0]!
  // A preflight is a matter of Fetch, and a method that is not allowed is in no document.
  if (method === 'OPTIONS' || status === 405) return []
  const found = findOperation(api, method, path)
  if (found === undefined) return status === 404 ? [] : [`${method} ${path} is not documented (status ${status}).`]
  const { template, operation, values } = found
  const sentences = [...status < 400 ? inRequest(operation, values, exchange) : [], ...inResponse(operation, exchange)]
  return sentences.map(sentence => `${method} ${template}: ${sentence}`)
}

function inRequest (operation: Operation, values: Record<string, string>, { url, headers, body }: Exchange): string[] {
  const query = new URL(url, 'http://localhost').searchParams
  const given = (name: string, place: Parameter['in']) =>
    place === 'path' ? values[name] : place === 'query' ? query.get(name) ?? undefined : headers[name.toLowerCase()]
  const parameters = (operation.parameters ?? []).flatMap(({ name, in: place, required = false, schema }) => {
    const value = given(name, place)
    const fault = value === undefined ? required ? 'is missing' : null : whyNot(schema, value, { isText: true })
    return fault === null ? [] : [`the parameter ${name} in ${place} ${fault}.`]
  })
  const known = new Set(operation.parameters?.filter(it => it.in === 'query').map(({ name }) => name))
  const unknown = [...new Set(query.keys())].filter(name => !known.has(name)).map(name => `the parameter ${name} in query is not documented.`)
  const { requestBody } = operation
  if (body === '') return [...parameters, ...unknown, ...requestBody?.required ? ['the body is missing.'] : []]
  return [...parameters, ...unknown, ...inContent('request', requestBody ?? {}, headers['content-type'], body)]
}

function inResponse (operation: Operation, { method, status, answered, answer }: Exchange): string[] {
  const documented = findResponse(operation, status)
  // Any service can be overloaded, whatever its operations do.
  if (documented === undefined && status === 503) return []
  if (documented === undefined) return [`the status ${status} is not documented.`]
  const headers = Object.entries(documented.headers ?? {}).flatMap(([name, { schema, required = false }]) => {
    const value = answered[name.toLowerCase()]
    const fault = value === undefined ? required ? 'is missing' : null : whyNot(schema, value, { isText: true })
    return fault === null ? [] : [`${status}: the header ${name} ${fault}.`]
  })
  const names = new Set(Object.keys(documented.headers ?? {}).map(name => name.toLowerCase()))
  const unknown = Object.keys(answered).filter(name => !USUAL.has(name) && !names.has(name)).map(name => `${status}: the header ${name} is not documented.`)
  const isEmpty = method === 'HEAD' || status === 204 || status === 304 || answer === '' || answer === undefined
  const type = answered['content-type']
  const content = isEmpty && (type === undefined || documented.content === undefined) ? [] : inContent(`${status}`, documented, type, isEmpty ? undefined : answer)
  return [...headers, ...unknown, ...content]
}

/** @param body `undefined`: only its type is checked */
function inContent (what: string, { content = {} }: Pick<Documented, 'content'>, header: string | undefined, body: string | undefined): string[] {
  const type = header?.split(';')[0]!.trim().toLowerCase()
  const documented = type === undefined ? undefined : content[type]
  if (documented === undefined) return [`${what}: the content type ${type} is not documented.`]
  if (body === undefined || documented.schema === undefined) return []
  const fault = whyNot(documented.schema, parse(type!, body), { isText: type === 'application/x-www-form-urlencoded' })
  return fault === null ? [] : [`${what}: the body (${type}) ${fault}.`]
}

function parse (type: string, body: string): unknown {
  if (type === 'application/json' || type.endsWith('+json')) return JSON.parse(body)
  return type === 'application/x-www-form-urlencoded' ? Object.fromEntries(new URLSearchParams(body)) : body
}

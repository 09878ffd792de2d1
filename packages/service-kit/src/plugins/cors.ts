import type { FastifyReply, FastifyRequest } from 'fastify'

/** Maximum number and total length of the header names in a preflight. */
const [MAX_NAMES, MAX_LENGTH] = [50, 2_048]

/** RFC 9110 §5.6.2 */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** Whether a request is a CORS preflight (https://fetch.spec.whatwg.org/#cors-preflight-request). */
export function isPreflight ({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** Lets pages of an origin, or of any (`*`), read a response and these headers, without cookies. */
export function allowOrigin (reply: FastifyReply, origin: string, exposed: string): void {
  reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed })
}

/** Allows methods, and all headers that a preflight names: libraries add their own to every request, and they have no effect here. */
export function allowRequest (request: FastifyRequest, reply: FastifyReply, methods: string): void {
  const names = requestedNames(request.headers['access-control-request-headers'])
  addVary(reply, 'Access-Control-Request-Headers')
  reply.headers({
    'access-control-allow-methods': methods,
    ...names.length === 0 ? {} : { 'access-control-allow-headers': names.join(', ') },
    'access-control-max-age': '600'
  })
}

/** Adds a header's name to `Vary`. */
export function addVary (reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary')
  reply.header('vary', before === undefined ? name : `${String(before)}, ${name}`)
}

/** The valid names; none if there are too many. */
function requestedNames (text: string | string[] = ''): string[] {
  const requested = String(text)
  const names = requested.split(',').map(name => name.trim()).filter(name => TOKEN.test(name))
  return requested.length > MAX_LENGTH || names.length > MAX_NAMES ? [] : names
}

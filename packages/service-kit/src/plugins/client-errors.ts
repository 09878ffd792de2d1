import type { ConnectionError } from 'fastify'
import fp from 'fastify-plugin'
import { STATUS_CODES, type IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { makeRequestId } from '../request-id.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Exempts the body from the request timeout. Idle clients are still disconnected. */
    allowSlowBody: () => void
  }
}

/** A response without a request. */
export interface ClientErrorResponse {
  statusCode: number
  headers: Record<string, string>
  body: string
  /** For the log, in addition to request id, status, reason and address. */
  details?: object
}

type Respond = (requestId: string) => ClientErrorResponse | Promise<ClientErrorResponse>

/** Why a request is rejected; `longest`: the longest part of headers over the limit. */
export type Refusal = { readonly statusCode: 400 | 408 } | { readonly statusCode: 431, readonly longest: LongestPart }

export interface ClientErrorsOptions {
  /** Responds to malformed (400) and slow (408) requests, and to headers over the limit (431). */
  refuse: (refusal: Refusal, requestId: string) => ClientErrorResponse | Promise<ClientErrorResponse>
  /** Responds to `CONNECT` and to methods that Node.js does not know. @param target of the request line, not always a path */
  refuseMethod: (method: string, target: string, requestId: string) => ClientErrorResponse | Promise<ClientErrorResponse>
}

/** A request line whose method is a token (RFC 9110 §9.1). */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) (\S+) HTTP\/1\.[01]\r\n/

/** Responds to requests that Node.js cannot parse or does not pass to a route, and closes the connection. */
export default fp<ClientErrorsOptions>(async function clientErrors (fastify, { refuse, refuseMethod }) {
  const answered = new WeakSet<Duplex>()
  const patient = new WeakSet<Duplex>()
  fastify.decorateRequest('allowSlowBody', function () { patient.add(this.raw.socket) })
  fastify.addHook('onResponse', async ({ raw }) => { patient.delete(raw.socket) })
  fastify.server.removeAllListeners('clientError')
  fastify.server.on('clientError', (error: ConnectionError, socket: Duplex) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && patient.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else start(socket, error.code, requestId => explain(error, requestId))
  })
  fastify.server.on('connect', ({ method = '', url = '' }: IncomingMessage, socket: Duplex) => {
    start(socket, method, requestId => refuseMethod(method, url, requestId))
  })

  function explain ({ code, rawPacket }: ConnectionError, requestId: string) {
    const [, method, target] = code === 'HPE_INVALID_METHOD' ? REQUEST_LINE.exec(String(rawPacket ?? '')) ?? [] : []
    if (method !== undefined && target !== undefined) return refuseMethod(method, target, requestId)
    if (code === 'HPE_HEADER_OVERFLOW') return refuse({ statusCode: 431, longest: findLongestPart(String(rawPacket ?? '')) }, requestId)
    return refuse({ statusCode: code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400 }, requestId)
  }

  /** @param reason for the log: never the packet, which has cookies, passwords and queries */
  function start (socket: Duplex, reason: string, respond: Respond) {
    // The rest of the packet causes further errors.
    if (answered.has(socket)) return
    answered.add(socket)
    const requestId = makeRequestId()
    answer(socket, requestId, reason, respond).catch(error => {
      fastify.log.error({ requestId, err: error }, 'could not respond to a malformed request')
      socket.destroy()
    })
  }

  async function answer (socket: Duplex, requestId: string, reason: string, respond: Respond) {
    const response = respond(requestId)
    // Synchronously if possible, because a route may already be processing the headers.
    const { statusCode, headers, body, details } = response instanceof Promise ? await response : response
    fastify.log.info(
      { requestId, status: statusCode, ...details, reason, ip: socket instanceof Socket ? socket.remoteAddress : undefined },
      'request'
    )
    const fields = { ...headers, 'content-length': Buffer.byteLength(body), 'x-request-id': requestId, connection: 'close' }
    const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${head}\r\n${body}`, () => socket.destroy())
  }
}, { name: 'client-errors', fastify: '5.x' })

type LongestPart = 'address' | 'cookies' | 'fields'

/**
 * Finds the longest part of headers over the limit.
 * @param packet the last packet: all of the headers, or their end
 */
function findLongestPart (packet: string): LongestPart {
  const lengths = { address: 0, cookies: 0, fields: 0 }
  packet.split('\r\n').forEach((line, index) => { lengths[classifyLine(line, index === 0)] += line.length })
  // as: the keys of the object above.
  return (Object.keys(lengths) as LongestPart[]).reduce((longest, part) => lengths[part] > lengths[longest] ? part : longest)
}

function classifyLine (line: string, isFirst: boolean): LongestPart {
  if (/^cookie:/i.test(line)) return 'cookies'
  if (!isFirst || /^[\w-]+: /.test(line)) return 'fields'
  if (/^[A-Z]+ /.test(line) || / HTTP\/1\.[01]$/.test(line)) return 'address'
  // The end of a line that began in an earlier packet: a semicolon separates cookies.
  return /; ?[^\s;=]+=/.test(line) ? 'cookies' : 'fields'
}

import { PROBLEM_MEDIA_TYPE } from '@frontdesk/schemas/problem'
import type { ConnectionError, FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ProblemError } from '../problems/define.js'
import { headersTooLarge, requestMalformed, requestTimeout } from '../problems/request.js'

/** Answers, with a problem too, what Node makes no request of, and closes the connection. */
export default fp(async function clientErrors (fastify) {
  fastify.server.removeAllListeners('clientError')
  fastify.server.on('clientError', (error: ConnectionError, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else answer(fastify, socket, explain(fastify, error), error.code)
  })
  fastify.server.on('connect', ({ method = '', url = '' }: IncomingMessage, socket: Duplex) => {
    answer(fastify, socket, refuse(fastify, method, url), method)
  })
}, { name: 'client-errors', fastify: '5.x', dependencies: ['problems', 'allowed-methods'] })

function answer (fastify: FastifyInstance, socket: Duplex, { kind, message: detail, headers }: ProblemError, reason: string) {
  const requestId = randomUUID()
  fastify.log.info({ requestId, status: kind.status, problem: kind.name, reason, ip: socket instanceof Socket ? socket.remoteAddress : undefined }, 'request')
  const body = JSON.stringify(fastify.problemOf(kind, { detail, requestId }))
  const fields = {
    'Content-Type': PROBLEM_MEDIA_TYPE,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    Connection: 'close',
    ...headers
  }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${kind.status} ${STATUS_CODES[kind.status]}\r\n${head}\r\n${body}`, () => socket.destroy())
}

function explain (fastify: FastifyInstance, { code, rawPacket }: ConnectionError) {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW': return headersTooLarge('The request line and the header fields have more than 16384 bytes.')
    case 'ERR_HTTP_REQUEST_TIMEOUT': return requestTimeout('The request did not arrive in time.')
    case 'HPE_INVALID_METHOD': {
      // Node's parser knows a list of methods; a path does not take any other either.
      const [, method, url] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) (\S+) HTTP\/1\.[01]\r\n/.exec(String(rawPacket ?? '')) ?? []
      if (method !== undefined && url !== undefined) return refuse(fastify, method, url)
    }
  }
  return requestMalformed('The request line, a header field or the framing of the body is malformed.')
}

function refuse (fastify: FastifyInstance, method: string, url: string) {
  return url.startsWith('/') ? fastify.refuseRoute(method, url) : requestMalformed('This is no proxy.')
}

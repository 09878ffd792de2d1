import { PROBLEM_MEDIA_TYPE } from '@frontdesk/schemas/problem'
import type { ConnectionError, FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ProblemError } from '../problems/define.js'
import { headersTooLarge, methodNotAllowed, pathUnknown, requestMalformed, requestTimeout } from '../problems/request.js'

/** Answers what Node could not make a request of, and closes the connection. */
export function answerClientError (this: FastifyInstance, error: ConnectionError, socket: Socket): void {
  answer(this, error, socket).catch(() => socket.destroy())
}

async function answer (fastify: FastifyInstance, error: ConnectionError, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const { kind, message: detail, headers } = await explain(fastify, error)
  fastify.log.info({ requestId, status: kind.status, problem: kind.name, reason: error.code, ip: socket.remoteAddress }, 'request')
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
  socket.end(`HTTP/1.1 ${kind.status} ${STATUS_CODES[kind.status]}\r\n${head}\r\n${body}`, () => socket.destroySoon())
}

async function explain (fastify: FastifyInstance, { code, rawPacket }: ConnectionError): Promise<ProblemError> {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW': return headersTooLarge('The request line and the header fields have more than 16384 bytes.')
    case 'ERR_HTTP_REQUEST_TIMEOUT': return requestTimeout('The request did not arrive in time.')
    case 'HPE_INVALID_METHOD': return await refuseMethod(fastify, String(rawPacket ?? ''))
    default: return requestMalformed('The request line, a header field or the framing of the body is malformed.')
  }
}

/** Node's parser knows a list of methods; a path does not take any other either. */
async function refuseMethod (fastify: FastifyInstance, packet: string) {
  const [, method, url] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) (\/\S*) HTTP\/1\.[01]\r\n/.exec(packet) ?? []
  if (url === undefined) return requestMalformed('The request line is malformed.')
  const { statusCode, headers: { allow } } = await fastify.inject({ method: 'OPTIONS', url })
  if (statusCode !== 204) return pathUnknown('There is nothing at this path. Compare it with /openapi.json.')
  return methodNotAllowed(`${method} is not for this path. Use one of: ${allow}.`, { headers: { Allow: String(allow) } })
}

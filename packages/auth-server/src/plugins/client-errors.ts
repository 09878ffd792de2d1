import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyInstance } from 'fastify'

/** What Node could not make a request of, by its code; everything else is malformed. */
const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408
}

const APP = 'The app that sent you here made a mistake. Go back to the app and try again. If this happens again, contact its developer.'

const told: Record<number, { title: string, advice: string }> = {
  400: { title: 'The request is malformed.', advice: APP },
  408: { title: 'The request did not arrive in time.', advice: 'Check your connection and try again.' },
  431: { title: 'The address of this page is too long.', advice: APP }
}

/** Answers what Node could not make a request of with a page or, for an unknown method, as the path says, and closes. */
export function answerClientError (this: FastifyInstance, error: ConnectionError, socket: Socket): void {
  answer(this, error, socket).catch(() => socket.destroy())
}

async function answer (fastify: FastifyInstance, { code, rawPacket }: ConnectionError, socket: Socket): Promise<void> {
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const { statusCode, headers, body } = await write(fastify, code, String(rawPacket ?? ''), requestId)
  // The code alone: the packet holds cookies, passwords and queries.
  fastify.log.info({ requestId, status: statusCode, reason: code, ip: socket.remoteAddress }, 'request')
  const fields = { ...headers, 'x-request-id': requestId, 'content-length': Buffer.byteLength(body), connection: 'close' }
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${head}\r\n${body}`, () => socket.destroySoon())
}

async function write (fastify: FastifyInstance, code: string, packet: string, requestId: string) {
  const [, url] = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32} (\/\S*) HTTP\/1\.[01]\r\n/.exec(packet) ?? []
  if (code === 'HPE_INVALID_METHOD' && url !== undefined) {
    const { statusCode, headers: { allow = '' }, body } = await fastify.inject({ method: 'OPTIONS', url, headers: { accept: 'text/html', 'x-request-id': requestId } })
    return { statusCode, headers: { allow: String(allow), ...page }, body }
  }
  const statusCode = statuses[code] ?? 400
  return { statusCode, headers: page, body: await fastify.view('error.eta', { ...told[statusCode], shown: {}, requestId }) }
}

const page = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff'
}

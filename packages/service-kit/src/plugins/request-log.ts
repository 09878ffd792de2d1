import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { pathOf } from '../path.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Programs poll this route: logs successful requests at level `debug`. */
    polled?: boolean
  }
}

/** A request in the log, without query, headers and body. */
interface RequestLine { method: string, path: string, status: number, ms: number, ip: string }

interface RequestLogOptions {
  /** Writes a request's log line. Default: writes it unchanged. */
  write?: (line: RequestLine, level: 'debug' | 'info', request: FastifyRequest) => void
}

/** Logs a line for each request that was not shed, and sends the request id. */
export default fp<RequestLogOptions>(async function requestLog (
  fastify, { write = (line, level, { log }) => log[level](line, 'request') }
) {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    const isRoutine = request.routeOptions.config.polled === true && reply.statusCode < 400
    if (request.admission !== 'shed') write(requestLine(request, reply), isRoutine ? 'debug' : 'info', request)
    done()
  })
}, { name: 'request-log', fastify: '5.x' })

/** Logs a request if its client closes the connection before a streamed response ends: Fastify runs no hook then. */
export function logIfLeft (request: FastifyRequest, reply: FastifyReply): void {
  // Unknown after the connection is closed.
  const { ip } = request
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) request.log.info({ ...requestLine(request, reply), ip }, 'request')
  })
}

function requestLine ({ method, originalUrl, ip }: FastifyRequest, { statusCode: status, elapsedTime }: FastifyReply): RequestLine {
  return { method, path: pathOf(originalUrl), status, ms: Math.round(elapsedTime * 10) / 10, ip }
}

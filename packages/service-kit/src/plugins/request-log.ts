import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { pathOf } from '../path.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Programs poll this route every few seconds: its requests are logged at level `debug`, unless they fail. */
    polled?: boolean
  }
}

/** The fields of a request in the log: neither query nor headers nor body. */
interface RequestLine { method: string, path: string, status: number, ms: number, ip: string }

/** How requests are logged. */
interface RequestLogOptions {
  /** Writes the line of a request at a level; default: as it is. */
  write?: (line: RequestLine, level: 'debug' | 'info', request: FastifyRequest) => void
}

/** Logs one line per request, unless it was shed, and returns the request id to the caller. */
export default fp<RequestLogOptions>(async function requestLog (fastify, { write = (line, level, { log }) => log[level](line, 'request') }) {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    const isRoutine = request.routeOptions.config.polled === true && reply.statusCode < 400
    if (request.admission !== 'shed') write(lineOf(request, reply), isRoutine ? 'debug' : 'info', request)
    done()
  })
}, { name: 'request-log', fastify: '5.x' })

/** Logs a request whose response is a stream, if its reader closes the connection before the end: Fastify calls no hook then. */
export function logIfLeft (request: FastifyRequest, reply: FastifyReply): void {
  // Not known any more when the connection is closed.
  const { ip } = request
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) request.log.info({ ...lineOf(request, reply), ip }, 'request')
  })
}

function lineOf ({ method, originalUrl, ip }: FastifyRequest, { statusCode: status, elapsedTime }: FastifyReply): RequestLine {
  return { method, path: pathOf(originalUrl), status, ms: Math.round(elapsedTime * 10) / 10, ip }
}

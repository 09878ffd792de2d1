import Fastify, { LogController, type FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { Config } from '../config.js'
import { answerClientError } from './client-error.js'

/** Where log lines go; standard output if not given. */
export interface LogTarget {
  write (line: string): void
}

const SECOND = 1_000

/** A Fastify instance with the limits of this service and nothing in it yet. */
export function createHttp ({ trustProxy, logLevel }: Pick<Config, 'trustProxy' | 'logLevel'>, stream?: LogTarget): FastifyInstance {
  const fastify = Fastify({
    logger: { level: logLevel, ...(stream === undefined ? {} : { stream }) },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: ({ headers }) => wellFormed(headers['x-request-id']) ?? randomUUID(),
    requestIdHeader: false,
    // as: Fastify hands numbers to proxy-addr, which counts hops; its types lack them.
    trustProxy: trustProxy as boolean | string[],
    bodyLimit: 16_384,
    // Slow headers, slow bodies: no honest client needs longer for 16 KiB.
    requestTimeout: 20 * SECOND,
    // Above the 60 s of usual proxies, so that they close idle connections first and never meet a closed one.
    keepAliveTimeout: 65 * SECOND,
    // A client that does not read its answer.
    connectionTimeout: 70 * SECOND,
    forceCloseConnections: 'idle',
    // What comes on open connections while the process ends is answered, not refused.
    return503OnClosing: false,
    http: {
      headersTimeout: 10 * SECOND,
      // How often Node looks for connections past their timeouts; its default is 30 s.
      connectionsCheckingInterval: SECOND,
      maxHeaderSize: 16_384,
      // The gate says so itself, as a problem document.
      requireHostHeader: false
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      // Longer ones are no identifiers either, and the answer has to be the same.
      maxParamLength: 16_384
    },
    frameworkErrors: (error, request, reply) => { reply.problem(error) },
    clientErrorHandler: answerClientError
  })
  // Some 20 KB each: a flood of connections stays below 100 MB.
  fastify.server.maxConnections = 4_096
  return fastify
}

function wellFormed (id: string | string[] | undefined) {
  return typeof id === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(id) ? id : undefined
}

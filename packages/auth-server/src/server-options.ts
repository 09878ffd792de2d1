import type { Server } from 'node:http'
import { LogController, type FastifyHttpOptions } from 'fastify'
import { answerClientError } from './plugins/client-errors.js'
import type { Config } from './config.js'
import { createTimeIds } from './stores/time-id.js'

/** Longest body, in bytes: a consent form is far below. */
const BODY_LIMIT = 16 * 1024

/** Apart from the ids of rows, which hold the time of the database: it is not known yet. */
const requestId = createTimeIds()

/** What the HTTP server is made with, in the process and in tests. @param log takes the lines; standard output unless given */
export function serverOptions (config: Config, log?: { write: (line: string) => unknown }): FastifyHttpOptions<Server> {
  return {
    logger: { level: config.logLevel, ...(log === undefined ? {} : { stream: log }) },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: false,
    // as: Node gives a header that may not be repeated as one string.
    genReqId: ({ headers }) => /^[A-Za-z0-9._-]{1,64}$/.exec(headers['x-request-id'] as string ?? '')?.[0] ?? requestId(new Date()),
    trustProxy: config.trustProxy,
    bodyLimit: BODY_LIMIT,
    // Slow senders are cut off; keep-alive outlasts the idle time of common proxies.
    requestTimeout: 10_000,
    keepAliveTimeout: 65_000,
    // A client that does not read its answer.
    connectionTimeout: 30_000,
    http: { headersTimeout: 8_000, connectionsCheckingInterval: 2_000 },
    // Routes read the query as it was written, by stricter rules.
    routerOptions: { querystringParser: () => ({}) },
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // The router answers a path that it cannot decode by itself, past every hook; taken as it is, it is refused as malformed.
    rewriteUrl: ({ url = '' }) => isDecodable(url) ? url : url.replaceAll('%', '%25')
  }
}

function isDecodable (url: string): boolean {
  const [path = ''] = url.split('?', 1)
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

import { LogController, type FastifyHttpOptions } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Config } from './config.js'

const SECOND = 1_000

/** What the HTTP server is made with, in the process and in tests. @param log takes the lines; standard output unless given */
export function serverOptions ({ trustProxy, logLevel }: Pick<Config, 'trustProxy' | 'logLevel'>, log?: { write: (line: string) => unknown }): FastifyHttpOptions<Server> {
  return {
    logger: { level: logLevel, ...(log === undefined ? {} : { stream: log }) },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: ({ headers }) => wellFormed(headers['x-request-id']) ?? randomUUID(),
    requestIdHeader: false,
    trustProxy,
    bodyLimit: 16_384,
    // Slow headers, slow bodies: no honest client needs longer for 16 KiB.
    requestTimeout: 20 * SECOND,
    // Above the 60 s of usual proxies, so that they close idle connections first and never meet a closed one.
    keepAliveTimeout: 65 * SECOND,
    // A client that does not read its answer.
    connectionTimeout: 30 * SECOND,
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
    rewriteUrl: ({ url = '' }) => takeLiterally(url)
  }
}

/** The router answers a path that it cannot decode by itself, past every hook; taken as it is, it is an unknown one. */
function takeLiterally (url: string) {
  if (!url.includes('%')) return url
  const [path = ''] = url.split('?', 1)
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25')
  }
}

function wellFormed (id: string | string[] | undefined) {
  return typeof id === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(id) ? id : undefined
}

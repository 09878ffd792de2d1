import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import { LogController, type FastifyHttpOptions } from 'fastify'
import type { Server } from 'node:http'
import { hostname } from 'node:os'
import { hasValidEscapes, pathOf } from './path.js'
import { requestIdOf } from './request-id.js'
import type { ServerConfig } from './server-settings.js'

const SECOND_MS = 1_000

/** Limit of a body, in bytes: forms and records are far smaller. */
const BODY_LIMIT = 16_384

/** Limit of the request line and the header fields together, in bytes. */
export const HEADER_LIMIT = 16_384

/** Options of a service's HTTP server. */
export interface ServerOptions {
  /** How long a whole request may take to arrive, in milliseconds. */
  requestTimeout: number
  /** Name of the service, in each line of the log. */
  service: string
  /** Takes the log lines; default: standard output. */
  log?: { write: (line: string) => unknown } | undefined
}

/** Fastify's compiler of response schemas, but each is compiled when it is first needed: all of them take a tenth of the start. */
const buildSerializer: SerializerSelector.SerializerFactory = (...options) => {
  const compile = SerializerSelector()(...options)
  return route => {
    let serialize: SerializerSelector.Serializer | undefined
    return document => {
      serialize ??= compile(route)
      return serialize(document)
    }
  }
}

/** What the HTTP server of a service is created with, in the process and in tests. */
export function serverOptions (
  { trustProxy, logLevel }: Pick<ServerConfig, 'trustProxy' | 'logLevel'>,
  { requestTimeout, service, log }: ServerOptions
): FastifyHttpOptions<Server> {
  return {
    logger: { level: logLevel, base: { service, pid: process.pid, hostname: hostname() }, ...(log === undefined ? {} : { stream: log }) },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: false,
    genReqId: requestIdOf,
    trustProxy,
    // Schemas are TypeBox's and are valid: compiling the schema of schemas would take a tenth of the start.
    ajv: { customOptions: { validateSchema: false } },
    schemaController: { compilersFactory: { buildSerializer } },
    bodyLimit: BODY_LIMIT,
    requestTimeout,
    // Above the 60 s of common proxies: they close idle connections first, and never send a request over a closed one.
    keepAliveTimeout: 65 * SECOND_MS,
    // For a client that does not read its response.
    connectionTimeout: 30 * SECOND_MS,
    // While the process drains, requests on open connections are still served.
    return503OnClosing: false,
    http: {
      headersTimeout: 10 * SECOND_MS,
      // How often Node.js looks for connections past their timeouts; its default is 30 s.
      connectionsCheckingInterval: SECOND_MS,
      maxHeaderSize: HEADER_LIMIT,
      // Node.js would respond without a body; plugins/one-host.ts responds with a problem.
      requireHostHeader: false
    },
    // Longer parameters of a path are unknown, too, and the response has to be the same.
    routerOptions: { maxParamLength: HEADER_LIMIT },
    // The router itself responds to paths that it cannot decode, without running hooks. Escaped, they are unknown paths.
    rewriteUrl: ({ url = '' }) => hasValidEscapes(url) ? url : pathOf(url).replaceAll('%', '%25')
  }
}

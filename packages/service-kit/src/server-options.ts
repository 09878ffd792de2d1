import ValidatorSelector from '@fastify/ajv-compiler'
import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import { LogController, type FastifyHttpOptions } from 'fastify'
import type { Server } from 'node:http'
import { hostname } from 'node:os'
import { hasValidEscapes, pathOf } from './path.js'
import { readRequestId } from './request-id.js'
import type { ServerConfig } from './server-settings.js'

const SECOND_MS = 1_000

/** Maximum size of a body, in bytes: forms and records are far smaller. */
const BODY_LIMIT = 16_384

/** Maximum size of the request line and the headers, in bytes. */
export const HEADER_LIMIT = 16_384

export interface ServerOptions {
  /** Time limit for a whole request to arrive, in milliseconds. */
  requestTimeout: number
  /** Name of the service in the log. */
  service: string
  /** Takes the log lines; default: standard output. */
  log?: { write: (line: string) => unknown } | undefined
}

/** Compiles response schemas as Fastify does, but each at its first use: all of them take a tenth of the start. */
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

type BuildValidator = ValidatorSelector.BuildCompilerFromPool

/** The same for validators: Fastify takes errors from the result, too. It leaves headers' names in schemas as they are: in lower case. */
function atFirstUse (buildCompiler: BuildValidator): BuildValidator {
  return (...options) => schema => {
    let validate: ReturnType<ReturnType<BuildValidator>> | undefined
    const check = (data: unknown) => {
      validate ??= buildCompiler(...options)(schema)
      return validate(data) === true || { error: validate.errors }
    }
    // as: Fastify only calls it.
    return check as unknown as ReturnType<ReturnType<BuildValidator>>
  }
}

/** Options of a service's HTTP server, in the process and in tests. */
export function serverOptions (
  { trustProxy, logLevel }: Pick<ServerConfig, 'trustProxy' | 'logLevel'>,
  { requestTimeout, service, log }: ServerOptions
): FastifyHttpOptions<Server> {
  return {
    logger: { level: logLevel, base: { service, pid: process.pid, hostname: hostname() }, ...(log === undefined ? {} : { stream: log }) },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: false,
    genReqId: readRequestId,
    trustProxy,
    // TypeBox's schemas are valid: to compile the schema of schemas would take a tenth of the start.
    ajv: { customOptions: { validateSchema: false } },
    schemaController: { compilersFactory: { buildSerializer, buildValidator: atFirstUse(ValidatorSelector()) } },
    bodyLimit: BODY_LIMIT,
    requestTimeout,
    // Longer than the 60 s of common proxies, so that they close idle connections first, and never use a closed one.
    keepAliveTimeout: 65 * SECOND_MS,
    // For clients that do not read their responses.
    connectionTimeout: 30 * SECOND_MS,
    // Still serves requests on open connections while the process drains.
    return503OnClosing: false,
    http: {
      headersTimeout: 10 * SECOND_MS,
      // Checks timeouts every second instead of every 30 s.
      connectionsCheckingInterval: SECOND_MS,
      maxHeaderSize: HEADER_LIMIT,
      // plugins/one-host.ts checks it: Node.js would respond without a body.
      requireHostHeader: false
    },
    // So that longer path parameters get the same response as unknown ones.
    routerOptions: { maxParamLength: HEADER_LIMIT },
    // The router responds to paths that it cannot decode without running hooks. Escaped, they are unknown paths.
    rewriteUrl: ({ url = '' }) => hasValidEscapes(url) ? url : pathOf(url).replaceAll('%', '%25')
  }
}

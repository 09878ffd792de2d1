import { serverOptions as sharedOptions, type ServerOptions } from '@frontdesk/service-kit/server-options'
import type { FastifyHttpOptions } from 'fastify'
import type { Server } from 'node:http'
import type { Config } from './config.js'

/** Time limit for a request to arrive, in milliseconds: none has a body. */
const REQUEST_TIMEOUT_MS = 20_000

/** Options of the HTTP server, in the process and in tests. @param log takes the log lines; default: standard output */
export function serverOptions (config: Pick<Config, 'trustProxy' | 'logLevel'>, log?: ServerOptions['log']): FastifyHttpOptions<Server> {
  return sharedOptions(config, { requestTimeout: REQUEST_TIMEOUT_MS, service: 'desk', log })
}

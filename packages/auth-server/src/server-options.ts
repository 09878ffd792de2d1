import { serverOptions as sharedOptions, type ServerOptions } from '@frontdesk/service-kit/server-options'
import type { FastifyHttpOptions } from 'fastify'
import type { Server } from 'node:http'
import type { Config } from './config.js'

/** How long a request can take to arrive, in milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000

/** Options of the HTTP server, for the process and for tests. @param log receives log lines; default: standard output */
export function serverOptions (config: Config, log?: ServerOptions['log']): FastifyHttpOptions<Server> {
  const shared = sharedOptions(config, { requestTimeout: REQUEST_TIMEOUT_MS, service: 'auth-server', log })
  return {
    ...shared,
    // Routes parse the raw query themselves, by stricter rules.
    routerOptions: { ...shared.routerOptions, querystringParser: () => ({}) }
  }
}

import { serverOptions as sharedOptions, type ServerOptions } from '@frontdesk/service-kit/server-options'
import type { FastifyHttpOptions } from 'fastify'
import type { Server } from 'node:http'
import type { Config } from './config.js'

/** How long a request may take to arrive, in milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000

/** What the HTTP server is created with, in the process and in tests. @param log takes the lines; default: standard output */
export function serverOptions (config: Config, log?: ServerOptions['log']): FastifyHttpOptions<Server> {
  const shared = sharedOptions(config, { requestTimeout: REQUEST_TIMEOUT_MS, service: 'auth-server', log })
  return {
    ...shared,
    // Routes read the query as it was written, by stricter rules.
    routerOptions: { ...shared.routerOptions, querystringParser: () => ({}) }
  }
}

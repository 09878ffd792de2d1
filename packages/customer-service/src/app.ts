import clockWatch from '@frontdesk/service-kit/plugins/clock-watch'
import documents from '@frontdesk/service-kit/plugins/documents'
import drain from '@frontdesk/service-kit/plugins/drain'
import overload from '@frontdesk/service-kit/plugins/overload'
import startNotices from '@frontdesk/service-kit/plugins/start-notices'
import sockets from '@frontdesk/service-kit/plugins/sockets'
import tracing from '@frontdesk/service-kit/plugins/tracing'
import { readVersion } from '@frontdesk/service-kit/telemetry/version'
import fp from 'fastify-plugin'
import allowedMethods from './plugins/allowed-methods.js'
import cleanUp from './plugins/clean-up.js'
import clientErrors from './plugins/client-errors.js'
import cors from './plugins/cors.js'
import expectContinue from './plugins/expect-continue.js'
import metrics from './plugins/metrics.js'
import openapi from './plugins/openapi.js'
import problems from './plugins/problems.js'
import requestLimits from './plugins/request-limits.js'
import requestLog from './plugins/request-log.js'
import securityHeaders from './plugins/security-headers.js'
import standbyLog from './plugins/standby-log.js'
import webhooks from './plugins/webhooks.js'
import type { AccessOptions } from './routes/customers/access.js'
import customers from './routes/customers/index.js'
import docs from './routes/docs/index.js'
import health from './routes/health/index.js'
import metadata, { publicRoot } from './routes/metadata/index.js'
import { Tail } from './stores/changes/tail.js'

/** What the app needs. */
export interface AppOptions extends AccessOptions {
  /** Seconds that the database's clock is ahead of this machine's; `null` with SQLite. */
  ahead?: () => number | null
  /** Connections of the PostgreSQL pool, by state. */
  pool?: () => Record<string, number> | null
  /** How long the oldest query has waited for the database, in milliseconds. */
  queueAge?: () => number
  /** Name of the database, if this start created it. */
  createdDatabase?: string | undefined
}

/** Registers every plugin and route, in order. */
export default fp<AppOptions>(async function app (
  fastify,
  { config, stores, keys, revocations, pool = () => null, ahead = () => null, queueAge, createdDatabase }
) {
  const clocks = { database: ahead, 'authorization server': () => revocations?.ahead ?? null }
  await fastify.register(tracing, {
    enabled: config.tracing, service: 'customer-service', version: readVersion(new URL('../../package.json', import.meta.url))
  })
  await fastify.register(startNotices, { config, createdDatabase })
  await fastify.register(requestLog)
  await fastify.register(clockWatch, { others: clocks })
  await fastify.register(metrics, { config, keys, revocations, pool, clocks })
  await fastify.register(standbyLog)
  await fastify.register(securityHeaders)
  await fastify.register(drain)
  await fastify.register(sockets)
  await fastify.register(documents)
  const root = publicRoot(config)
  await fastify.register(problems, { root })
  await fastify.register(cors, { origins: config.corsOrigins, prefix: config.prefix })
  await fastify.register(overload, { queueAge })
  await fastify.register(requestLimits)
  await fastify.register(allowedMethods)
  await fastify.register(clientErrors)
  await fastify.register(expectContinue)
  await fastify.register(openapi, { auth: config.auth, serviceRoot: config.serviceRoot, root })
  await fastify.register(cleanUp, stores)
  await fastify.register(webhooks, { config, stores })

  const tail = new Tail(stores.feed)
  await fastify.register(customers, { config, stores, keys, revocations, tail })
  if (config.mcp) await fastify.register(import('./routes/mcp/index.js'), { config, stores, keys, revocations, tail, prefix: config.prefix })
  await fastify.register(docs, { config })
  await fastify.register(health, { config, stores, keys, revocations })
  await fastify.register(metadata, { config })
}, { name: 'app', fastify: '5.x' })

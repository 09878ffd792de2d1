import allowedMethods from '@frontdesk/service-kit/plugins/allowed-methods'
import documents from '@frontdesk/service-kit/plugins/documents'
import drain from '@frontdesk/service-kit/plugins/drain'
import metrics from '@frontdesk/service-kit/plugins/metrics'
import oneHost from '@frontdesk/service-kit/plugins/one-host'
import overload from '@frontdesk/service-kit/plugins/overload'
import requestLog from '@frontdesk/service-kit/plugins/request-log'
import sockets from '@frontdesk/service-kit/plugins/sockets'
import startNotices from '@frontdesk/service-kit/plugins/start-notices'
import tracing from '@frontdesk/service-kit/plugins/tracing'
import { readVersion } from '@frontdesk/service-kit/telemetry/version'
import fp from 'fastify-plugin'
import type { Config } from './config.js'
import errors from './plugins/errors.js'
import securityHeaders from './plugins/security-headers.js'
import health from './routes/health.js'
import language from './routes/language.js'
import page from './routes/page.js'

/** Registers every plugin and route, in order. */
export default fp<{ config: Config }>(async function app (fastify, { config }) {
  const named = { service: 'desk', version: readVersion(new URL('../../package.json', import.meta.url)) }
  await fastify.register(tracing, { ...named, enabled: config.tracing })
  await fastify.register(startNotices, { config })
  await fastify.register(allowedMethods)
  await fastify.register(requestLog)
  await fastify.register(metrics, { ...named, host: config.metricsHost, port: config.metricsPort })
  await fastify.register(securityHeaders, { config })
  await fastify.register(drain)
  await fastify.register(sockets)
  await fastify.register(documents)
  await fastify.register(errors, { config })
  await fastify.register(oneHost, { error: message => Object.assign(new Error(message), { statusCode: 400 }) })
  await fastify.register(overload)

  await fastify.register(page, { config })
  await fastify.register(language)
  await fastify.register(health)
}, { name: 'app', fastify: '5.x' })

import allowedMethods from '@frontdesk/service-kit/plugins/allowed-methods'
import clockWatch from '@frontdesk/service-kit/plugins/clock-watch'
import documents from '@frontdesk/service-kit/plugins/documents'
import drain from '@frontdesk/service-kit/plugins/drain'
import oneHost from '@frontdesk/service-kit/plugins/one-host'
import overload from '@frontdesk/service-kit/plugins/overload'
import requestLog from '@frontdesk/service-kit/plugins/request-log'
import startNotices from '@frontdesk/service-kit/plugins/start-notices'
import sockets from '@frontdesk/service-kit/plugins/sockets'
import tracing from '@frontdesk/service-kit/plugins/tracing'
import { readVersion } from '@frontdesk/service-kit/telemetry/version'
import fp from 'fastify-plugin'
import type { Config } from '../config.js'
import { openDataKey } from '../keys/data-key.js'
import type { IdTokenSigner } from '../keys/id-token-signer.js'
import type { KeyRing } from '../keys/key-ring.js'
import { errors } from '../oauth/errors.js'
import type { Stores } from '../stores/stores.js'
import { adminPathOf } from '../settings/admin.js'
import backChannelLogout from './back-channel-logout.js'
import adminListener from './admin-listener.js'
import audit from './audit.js'
import auditSeal from './audit-seal.js'
import cleanUp from './clean-up.js'
import clientErrors from './client-errors.js'
import clock from './clock.js'
import cors from './cors.js'
import errorResponses from './errors.js'
import forms from './forms.js'
import invitations from './invitations.js'
import keyRotation from './key-rotation.js'
import language from './language.js'
import metrics from './metrics.js'
import openapi from './openapi.js'
import outbox from './outbox.js'
import pages from './pages.js'
import session from './session.js'
import trustedBrowsers from './trusted-browsers.js'

interface Options {
  config: Config
  stores: Stores
  keys: KeyRing
  idTokens: IdTokenSigner
  /** The issuer's path, without a trailing slash. */
  basePath: string
  /** The database, if this start created it. */
  createdDatabase: string | undefined
}

/** The plugins that all capabilities share, in the order of their hooks. */
export default fp<Options>(async function plugins (fastify, options) {
  const { config, stores, keys, idTokens, basePath, createdDatabase } = options
  const { issuer, auditRetention, auditMaxRows: maxRows } = config
  const trimming = { maxRows, key: await openDataKey(stores.auditSeals.key, config, 'audit seals') }
  await fastify.register(startNotices, { config, createdDatabase })
  await fastify.register(forms)
  await fastify.register(allowedMethods)
  await fastify.register(clock, { clock: stores.clock })
  await fastify.register(clockWatch, { others: { database: () => stores.clock.ahead() } })
  await fastify.register(tracing, {
    enabled: config.tracing, service: 'auth-server', version: readVersion(new URL('../../../package.json', import.meta.url))
  })
  await fastify.register(requestLog)
  await fastify.register(metrics, { config, keys, stores })
  // Before what can refuse a request: the page that says so has the language of a cookie.
  await fastify.register(session, { sessions: stores.sessions, issuer })
  await fastify.register(language, { issuer, defaultLanguage: config.defaultLanguage })
  await fastify.register(cors, {
    clients: stores.clients, basePath, adminPath: adminPathOf(config), hasRegistration: config.registration !== 'off'
  })
  await fastify.register(drain)
  await fastify.register(sockets)
  if (config.adminListener !== undefined) {
    await fastify.register(adminListener, { ...config.adminListener, adminUrl: config.adminUrl, basePath })
  }
  await fastify.register(documents)
  await fastify.register(openapi, { issuer })
  const offered = { sendsMail: config.mail !== undefined, canSignUp: config.signUp !== 'off', upstream: config.upstream?.name }
  await fastify.register(pages, { basePath, brand: config.brand, ...offered, rpId: config.rpId })
  await fastify.register(audit, { audit: stores.audit, trimming })
  await fastify.register(outbox, { mail: config.mail })
  await fastify.register(errorResponses, { issuer })
  await fastify.register(oneHost, { error: message => errors.malformedRequest(message) })
  await fastify.register(clientErrors, { color: config.brand.color, defaultLanguage: config.defaultLanguage })
  await fastify.register(overload, { queueAge: stores.queueAge })
  await fastify.register(trustedBrowsers, { trustedBrowsers: stores.trustedBrowsers, issuer })
  await fastify.register(cleanUp, { stores, auditRetention, trimming })
  await fastify.register(auditSeal, { stores, key: trimming.key })
  await fastify.register(invitations, { config, stores })
  await fastify.register(keyRotation, { keys, idTokens })
  await fastify.register(backChannelLogout, { config, stores, idTokens })
}, { name: 'plugins', fastify: '5.x' })

import formbody from '@fastify/formbody'
import fp from 'fastify-plugin'
import type { Config } from './config.js'
import { deriveFormKeys } from './consent/form-keys.js'
import type { KeyRing } from './keys/key-ring.js'
import { parseParameters } from './oauth/parameters.js'
import authorizationRequest from './plugins/authorization-request.js'
import browser from './plugins/browser.js'
import cleanUp from './plugins/clean-up.js'
import metrics from './plugins/metrics.js'
import keyRotation from './plugins/key-rotation.js'
import drain from './plugins/generated/drain.js'
import tracing from './plugins/generated/tracing.js'
import errors from './plugins/errors.js'
import openapi from './plugins/openapi.js'
import pages from './plugins/pages.js'
import requestLog from './plugins/request-log.js'
import { createResponseTypes } from './response-types/index.js'
import authorizeRoute from './routes/authorize.js'
import consentRoute from './routes/consent.js'
import healthRoute from './routes/health.js'
import jwksRoute from './routes/jwks.js'
import metadataRoute from './routes/metadata.js'
import openapiRoute from './routes/openapi.js'
import signOutRoute from './routes/sign-out.js'
import { createSignIn } from './sign-in/sign-in.js'
import type { Stores } from './stores/stores.js'
import { readVersion } from './telemetry/generated/version.js'

/** What the app is made of. */
export interface AppOptions {
  config: Config
  stores: Stores
  keys: KeyRing
  /** Whether an error means that the database is away. */
  isUnavailable: (error: unknown) => boolean
}

/** auth-server, every registration in order. */
export default fp<AppOptions>(async function app (fastify, { config, stores, keys, isUnavailable }) {
  const { issuer, defaultAudience, accessTokenTtl } = config
  const basePath = new URL(issuer).pathname.replace(/\/$/, '')
  const responseTypes = createResponseTypes({ keys, grants: stores.grants, issuer, accessTokenTtl })
  const signIn = createSignIn(stores.users, stores.throttles)
  const formKeys = deriveFormKeys(config)

  // Forms are all that is taken: without this, JSON and text would reach the handlers.
  fastify.removeAllContentTypeParsers()
  await fastify.register(formbody, { parser: text => parseParameters(text, 'invalidForm') })

  await fastify.register(tracing, { enabled: config.tracing, service: 'auth-server', version: readVersion() })
  await fastify.register(requestLog)
  await fastify.register(metrics, { config, keys, stores })
  await fastify.register(drain)
  await fastify.register(openapi, { issuer })
  await fastify.register(pages, { basePath })
  await fastify.register(errors, { isUnavailable })
  await fastify.register(browser, { sessions: stores.sessions, issuer })
  await fastify.register(cleanUp, { stores })
  await fastify.register(keyRotation, { keys })

  await fastify.register(async function authorization (scope) {
    await scope.register(authorizationRequest, { clients: stores.clients, offer: { responseTypes, defaultAudience }, issuer })
    await scope.register(authorizeRoute, { issuer })
    await scope.register(consentRoute, { basePath, responseTypes, signIn, formKeys })
  }, { prefix: basePath })
  await fastify.register(signOutRoute, { basePath, formKeys, prefix: basePath })
  await fastify.register(jwksRoute, { keys, prefix: basePath })
  await fastify.register(metadataRoute, { issuer, basePath, responseTypes })
  await fastify.register(openapiRoute, { prefix: basePath })
  await fastify.register(healthRoute, { ping: stores.ping, keys })
}, { name: 'app', fastify: '5.x' })

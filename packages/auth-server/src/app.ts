import formbody from '@fastify/formbody'
import { REVOCATIONS_PATH } from '@frontdesk/schemas/revocations'
import fp from 'fastify-plugin'
import { createAuthenticate } from './client-auth/authenticate.js'
import type { Config } from './config.js'
import { deriveFormKeys } from './consent/form-keys.js'
import { createRememberedConsent } from './consent/remembered-consent.js'
import { createInspect } from './grants/inspect.js'
import type { KeyRing } from './keys/key-ring.js'
import { METADATA_PATH } from './oauth/well-known.js'
import { oauthError } from './oauth/errors.js'
import { parseForm } from './oauth/parameters.js'
import assets from './routes/assets/index.js'
import audit from './plugins/audit.js'
import authorizationRequest from './routes/authorize/authorization-request.js'
import session from './plugins/session.js'
import cleanUp from './plugins/clean-up.js'
import clientErrors from './plugins/client-errors.js'
import clock from './plugins/clock.js'
import cors from './plugins/cors.js'
import { countImplicitUses } from './plugins/implicit-uses.js'
import metrics from './plugins/metrics.js'
import keyRotation from './plugins/key-rotation.js'
import allowedMethods from '@frontdesk/service-kit/plugins/allowed-methods'
import clockWatch from '@frontdesk/service-kit/plugins/clock-watch'
import documents from '@frontdesk/service-kit/plugins/documents'
import drain from '@frontdesk/service-kit/plugins/drain'
import oneHost from '@frontdesk/service-kit/plugins/one-host'
import overload from '@frontdesk/service-kit/plugins/overload'
import requestLog from '@frontdesk/service-kit/plugins/request-log'
import sockets from '@frontdesk/service-kit/plugins/sockets'
import tracing from '@frontdesk/service-kit/plugins/tracing'
import errors from './plugins/errors.js'
import openapi from './plugins/openapi.js'
import pages from './plugins/pages.js'
import tokenErrors from './routes/token/errors.js'
import { responseModes } from './response-modes/index.js'
import { createResponseTypes } from './response-types/index.js'
import authorizeFormRoute from './routes/authorize/authorize-form.js'
import accountRoute from './routes/account/account.js'
import authorizeRoute from './routes/authorize/authorize.js'
import changePasswordRoute from './routes/account/change-password.js'
import consentRoute from './routes/authorize/consent.js'
import faviconRoute from './routes/assets/favicon.js'
import healthRoute from './routes/health/index.js'
import homeRoute from './routes/account/home.js'
import introspectRoute from './routes/token/introspect.js'
import jwksRoute from './routes/discovery/jwks.js'
import leaveImplicitRoute from './routes/docs/leave-implicit.js'
import metadataRoute from './routes/discovery/metadata.js'
import openapiRoute from './routes/discovery/openapi.js'
import problemPagesRoute from './routes/docs/problem-pages.js'
import revokeRoute from './routes/token/revoke.js'
import revocationsRoute from './routes/discovery/revocations.js'
import signOutRoute from './routes/account/sign-out.js'
import tokenRoute from './routes/token/token.js'
import { createSignIn } from './sign-in/sign-in.js'
import type { Stores } from './stores/stores.js'
import { readVersion } from '@frontdesk/service-kit/telemetry/version'
import { createTokenIssuer } from './tokens/issue.js'

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
  const { issuer, defaultAudience } = config
  const basePath = new URL(issuer).pathname.replace(/\/$/, '')
  const { clients, codes } = stores
  const responseTypes = createResponseTypes({ keys, codes, grants: stores.grants, ...config, implicitUses: countImplicitUses(fastify, stores.implicitUses) })
  const tokens = createTokenIssuer({ keys, ...config })
  const inspect = createInspect({ stores, keys, issuer })
  const authenticate = createAuthenticate({ stores, issuer })
  const signIn = createSignIn(stores.users, stores.throttles)
  const formKeys = deriveFormKeys(config)
  const memory = createRememberedConsent(stores.consents, responseTypes)

  // Forms are all that is taken: without this, JSON and text would reach the handlers.
  fastify.removeAllContentTypeParsers()
  await fastify.register(formbody, { parser: parseForm })

  await fastify.register(allowedMethods)
  await fastify.register(clock, { clock: stores.clock })
  await fastify.register(clockWatch, { others: { database: () => stores.clock.ahead() } })
  await fastify.register(tracing, { enabled: config.tracing, service: 'auth-server', version: readVersion(new URL('../../package.json', import.meta.url)) })
  await fastify.register(requestLog)
  await fastify.register(metrics, { config, keys, stores })
  await fastify.register(cors, {
    clients,
    endpoints: ['/token', '/revoke'].map(path => basePath + path),
    documents: [METADATA_PATH, '/.well-known/jwks.json', REVOCATIONS_PATH, '/openapi.json'].map(path => basePath + path).concat(METADATA_PATH + basePath)
  })
  await fastify.register(drain)
  await fastify.register(sockets)
  await fastify.register(documents)
  await fastify.register(openapi, { issuer })
  await fastify.register(pages, { basePath })
  await fastify.register(assets, { basePath })
  await fastify.register(audit, { audit: stores.audit, isUnavailable })
  await fastify.register(errors, { isUnavailable, issuer })
  await fastify.register(oneHost, { error: message => oauthError('malformedRequest', message) })
  await fastify.register(clientErrors)
  await fastify.register(overload, { queueAge: stores.queueAge })
  await fastify.register(session, { sessions: stores.sessions, issuer })
  await fastify.register(cleanUp, { stores, auditRetention: config.auditRetention })
  await fastify.register(keyRotation, { keys })

  const requests = { clients, offer: { responseTypes, defaultAudience }, responseModes, issuer }
  await fastify.register(async function authorization (scope) {
    await scope.register(authorizationRequest, { ...requests, source: 'query' })
    await scope.register(authorizeRoute, { issuer })
    await scope.register(consentRoute, { basePath, responseTypes, signIn, formKeys, memory, authorizedApps: stores.authorizedApps })
  }, { prefix: basePath })
  await fastify.register(async function authorizationByForm (scope) {
    await scope.register(authorizationRequest, { ...requests, source: 'body' })
    await scope.register(authorizeFormRoute, { issuer })
  }, { prefix: basePath })
  await fastify.register(async function tokenEndpoint (scope) {
    await scope.register(tokenErrors, { isUnavailable })
    await scope.register(tokenRoute, { authenticate, parts: { stores, tokens, defaultAudience } })
    await scope.register(revokeRoute, { authenticate, inspect, stores })
  }, { prefix: basePath })
  await fastify.register(async function introspection (scope) {
    await scope.register(tokenErrors, { isUnavailable })
    await scope.register(introspectRoute, { authenticate, inspect, issuer })
  }, { prefix: basePath })
  await fastify.register(signOutRoute, { basePath, formKeys, prefix: basePath })
  await fastify.register(accountRoute, { basePath, stores, signIn, formKeys, accessTokenTtl: config.accessTokenTtl, prefix: basePath })
  await fastify.register(homeRoute, { basePath, prefix: basePath })
  await fastify.register(leaveImplicitRoute, { issuer, prefix: basePath })
  await fastify.register(jwksRoute, { keys, prefix: basePath })
  await fastify.register(revocationsRoute, { revocations: stores.revocations, prefix: basePath })
  await fastify.register(metadataRoute, { issuer, basePath, responseTypes })
  await fastify.register(openapiRoute, { prefix: basePath })
  await fastify.register(problemPagesRoute, { prefix: basePath })
  await fastify.register(changePasswordRoute, { basePath })
  await fastify.register(faviconRoute)
  await fastify.register(healthRoute, { ping: stores.ping, keys })
}, { name: 'app', fastify: '5.x' })

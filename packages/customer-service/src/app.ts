import { isReadOnly, isUnavailable } from '@frontdesk/database/unavailable'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from './config.js'
import { readForm, readJson } from './customer/body.js'
import { parseForm } from './input/form.js'
import type { Keys } from './keys/keys.js'
import allowedMethods from './plugins/allowed-methods.js'
import bearer from './routes/customers/bearer.js'
import contentTypes from './routes/customers/content-types.js'
import cleanUp from './plugins/clean-up.js'
import clientErrors from './plugins/client-errors.js'
import cors from './plugins/cors.js'
import deprecation from './routes/customers/deprecation.js'
import clockWatch from '@frontdesk/service-kit/plugins/clock-watch'
import documents from '@frontdesk/service-kit/plugins/documents'
import drain from '@frontdesk/service-kit/plugins/drain'
import overload from '@frontdesk/service-kit/plugins/overload'
import sockets from '@frontdesk/service-kit/plugins/sockets'
import tracing from '@frontdesk/service-kit/plugins/tracing'
import expectContinue from './plugins/expect-continue.js'
import requestLimits from './plugins/request-limits.js'
import metrics from './plugins/metrics.js'
import openapi from './plugins/openapi.js'
import problems from './plugins/problems.js'
import requestLog from './plugins/request-log.js'
import securityHeaders from './plugins/security-headers.js'
import apiReference from './routes/docs/api-reference.js'
import type { CustomerRoutesOptions } from './routes/customers/options.js'
import favicon from './routes/docs/favicon.js'
import health from './routes/health/index.js'
import listCustomers from './routes/customers/list.js'
import moveCustomer from './routes/customers/move.js'
import openapiDocument from './routes/docs/openapi-document.js'
import patchCustomer from './routes/customers/patch.js'
import problemPages from './routes/docs/problem-pages.js'
import protectedResource, { METADATA_PATH } from './routes/metadata/index.js'
import readCustomer from './routes/customers/read.js'
import registerCustomer from './routes/customers/register.js'
import removeCustomer from './routes/customers/remove.js'
import replaceCustomer from './routes/customers/replace.js'
import type { Revocations } from './revocations/revocations.js'
import { databaseUnavailable } from './problems/service.js'
import type { Stores } from './stores/open.js'
import { readVersion } from '@frontdesk/service-kit/telemetry/version'
import { createVerifier } from './tokens/verify.js'

/** What the app works with; `keys` is `null` where `AUTH=none` makes no tokens needed, and only there. */
export interface AppOptions {
  config: Config
  stores: Stores
  keys: Keys | null
  /** What the authorization server has revoked; `null` where it does not tell. */
  revocations?: Revocations | null
  /** Seconds that the database's clock is ahead of this machine's; `null` with SQLite. */
  ahead?: () => number | null
  /** The connections to PostgreSQL, for the metrics. */
  pool?: () => Record<string, number> | null
  /** How long the question has waited that waits longest for the database, in milliseconds. */
  queueAge?: () => number
}

/** The customer register: every plugin and route, in order. */
export default fp<AppOptions>(async function app (fastify, { config, stores, keys, revocations = null, pool = () => null, ahead = () => null, queueAge = () => 0 }) {
  const { auth, serviceRoot, prefix } = config
  if (auth !== null && keys === null) throw new Error('tokens cannot be checked without keys')
  const verify = auth === null || keys === null ? null : createVerifier(auth, keys, revocations)

  // Bodies are forms or JSON, in the scopes that take them; nothing else is parsed.
  fastify.removeAllContentTypeParsers()
  await fastify.register(tracing, { enabled: config.tracing, service: 'customer-service', version: readVersion(new URL('../../package.json', import.meta.url)) })
  await fastify.register(requestLog)
  const others = { database: ahead, 'authorization server': () => revocations?.ahead ?? null }
  await fastify.register(clockWatch, { others })
  await fastify.register(metrics, { config, keys, revocations, pool, clocks: others })
  await fastify.register(securityHeaders)
  await fastify.register(drain)
  await fastify.register(sockets)
  await fastify.register(documents)
  await fastify.register(problems, { serviceRoot })
  await fastify.register(cors, { origins: config.corsOrigins, headers: config.corsHeaders })
  await fastify.register(overload, { queueAge })
  await fastify.register(requestLimits)
  await fastify.register(allowedMethods)
  await fastify.register(clientErrors)
  await fastify.register(expectContinue)
  await fastify.register(bearer, { verify, metadataUrl: metadataUrl(config) })
  if (config.implicitDeprecation !== null) await fastify.register(deprecation, config.implicitDeprecation)
  await fastify.register(openapi, { auth, serviceRoot })
  await fastify.register(cleanUp, stores)

  const home = `${serviceRoot}/rest/qa/customer`
  const hrefOf = (id: number) => `${home}/${id}`
  await fastify.register(customerRoutes, { prefix, ...stores, home, hrefOf, requireIfMatch: config.requireIfMatch })
  await fastify.register(problemPages, { prefix, docs: config.docs !== null })
  if (config.docs !== null) await fastify.register(apiReference, { prefix, auth, docs: config.docs })
  await fastify.register(openapiDocument, { prefix })
  await fastify.register(favicon)
  for (const place of new Set(['', prefix])) {
    await fastify.register(health, { prefix: place, ping: stores.ping, keys, revocations, isCopy: place !== prefix })
  }
  if (auth !== null) await fastify.register(protectedResource, { auth, place: prefix })
}, { name: 'app', fastify: '5.x' })

const FORM = 'application/x-www-form-urlencoded'

async function customerRoutes (fastify: FastifyInstance, { customers, idempotency, search, home, hrefOf, requireIfMatch }: CustomerRoutesOptions) {
  const options = { customers, idempotency, search, home, hrefOf, requireIfMatch }
  fastify.setErrorHandler((error, request, reply) => reply.problem(isUnavailable(error) ? unavailableError(error) : error))
  // The schemas describe; the parsers in customer/ decide. Ajv would take 1e3, 1.0 and +6 for integers.
  fastify.setValidatorCompiler(() => () => true)
  await fastify.register(listCustomers, options)
  await fastify.register(readCustomer, options)
  await fastify.register(removeCustomer, options)
  await fastify.register(async scope => {
    await scope.register(contentTypes, { readers: { [FORM]: parseForm } })
    await scope.register(registerCustomer, options)
    await scope.register(moveCustomer, options)
  })
  await fastify.register(async scope => {
    await scope.register(contentTypes, { readers: { 'application/json': readJson, [FORM]: readForm } })
    await scope.register(replaceCustomer, options)
  })
  await fastify.register(async scope => {
    await scope.register(contentTypes, { readers: { 'application/merge-patch+json': readJson, [FORM]: readForm } })
    await scope.register(patchCustomer, options)
  })
}

/** The problem that callers see while the database is unavailable. */
function unavailableError (cause: unknown) {
  const detail = isReadOnly(cause) ? 'The customer register can only be read at the moment. Nothing was changed.' : 'The customer register does not answer. Try again in a moment.'
  return databaseUnavailable(detail, { cause })
}

function metadataUrl ({ serviceRoot, prefix, auth }: Config) {
  const base = serviceRoot === '' ? auth?.audience : serviceRoot
  return base !== undefined && /^https?:/.test(base) ? new URL(base).origin + METADATA_PATH + prefix : undefined
}

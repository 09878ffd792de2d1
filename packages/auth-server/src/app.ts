import { Outgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from './config.js'
import { deriveFormKeys, type FormKeys } from './consent/form-keys.js'
import { createPushedRequests } from './consent/pushed-request.js'
import { createSignInWithPasskey } from './consent/sign-in-with-passkey.js'
import { createUseFactor } from './consent/use-factor.js'
import { createInspect, type Inspect } from './grants/inspect.js'
import type { IdTokenSigner } from './keys/id-token-signer.js'
import { openFactorParts } from './factors/parts.js'
import type { RelyingParty } from './factors/relying-party.js'
import { createSignedResponses } from './factors/signed-responses.js'
import { publishKeys } from './keys/published-keys.js'
import type { KeyRing } from './keys/key-ring.js'
import knownBrowsers from './plugins/known-browsers.js'
import plugins from './plugins/index.js'
import { createClientDocuments } from './registration/client-documents.js'
import { createDocumentRefresh } from './registration/document-refresh.js'
import { createFetchDocument } from './registration/fetch-document.js'
import { createFetchedKeys } from './registration/fetched-keys.js'
import { createFetchLimit } from './registration/limits.js'
import { createGuardedFetch, MAX_FETCHES } from './registration/guarded-fetch.js'
import { createResponseTypes } from './response-types/index.js'
import account from './routes/account/index.js'
import assets from './routes/assets/index.js'
import authorize from './routes/authorize/index.js'
import device from './routes/device/index.js'
import directory from './routes/directory/index.js'
import discovery from './routes/discovery/index.js'
import endSession from './routes/end-session/index.js'
import forgotPassword from './routes/forgot-password/index.js'
import { createEnrollDuringSignIn } from './routes/sign-in/enroll-during-sign-in.js'
import { createMailedCodeSteps } from './routes/sign-in/mailed-code-steps.js'
import health from './routes/health/index.js'
import language from './routes/language/index.js'
import notMe from './routes/not-me/index.js'
import problems from './routes/problems/index.js'
import registration from './routes/registration/index.js'
import setPassword from './routes/set-password/index.js'
import setUpFactor from './routes/set-up-factor/index.js'
import token from './routes/token/index.js'
import userinfo from './routes/userinfo/index.js'
import { adminPathOf } from './settings/admin.js'
import { createLimitCode } from './sign-in/code-limit.js'
import { createEmails } from './sign-in/emails.js'
import { createFactorLinks } from './sign-in/factor-link.js'
import { createLimitSignIn } from './sign-in/limit-sign-in.js'
import { createPasswordLinks } from './sign-in/password-link.js'
import { createSignIn } from './sign-in/sign-in.js'
import { ImplicitUseCounter } from './stores/operation/implicit-use-counter.js'
import type { Stores } from './stores/stores.js'
import { createProofs, type Proofs } from './tokens/proofs.js'
import { createReadIdToken } from './tokens/read-id-token.js'

interface Options {
  config: Config
  stores: Stores
  keys: KeyRing
  idTokens: IdTokenSigner
  /** The database, if this start created it. */
  createdDatabase?: string | undefined
}

/** auth-server: shared parts, then a plugin for each capability. */
export default fp<Options>(async function app (fastify, { config, stores, keys, idTokens, createdDatabase }) {
  const prefix = new URL(config.issuer).pathname.replace(/\/$/, '')
  const published = publishKeys(keys, idTokens)
  const readIdToken = createReadIdToken(published, config.issuer)
  const formKeys = deriveFormKeys(config)
  const warn = (err: unknown) => fastify.log.warn({ err }, 'cannot write uses of the implicit grant; retrying')
  const implicitUses = new ImplicitUseCounter(stores.implicitUses, warn)
  fastify.addHook('onClose', () => implicitUses.close())
  const inspect = createInspect({ stores, keys, issuer: config.issuer })
  const pushedRequests = createPushedRequests(config, stores)
  const proofs = createProofs(config, stores.spentIds)
  const passwordLinks = createPasswordLinks(stores, config)
  const { factors, relyingParty, ...settingUp } = await openFactorParts(stores, config)
  const responseTypes = createResponseTypes({ ...config, ...stores, keys, idTokens, implicitUses })

  const { guardedFetch, fetchedKeys, documents, documentRefresh } = createDocumentParts(config, stores)

  await fastify.register(plugins, { config, stores, keys, idTokens, basePath: prefix, createdDatabase })
  const { outbox, log } = fastify
  const { notify, notMeLinks, mailLink, mailedCodes } = createEmails({ stores, config, passwordLinks, outbox, log })
  const limitCode = createLimitCode({ ...stores, notify, onFailure: err => log.error({ err }, 'a wrong code was not counted') })
  const useFactor = createUseFactor(stores.users, limitCode, factors)
  await fastify.register(knownBrowsers, { config, stores, notify })
  const codeSteps = createMailedCodeSteps({ formKeys, mailedCodes, limitCode })
  const enrolling = createEnrollDuringSignIn({ ...stores, ...settingUp, formKeys, codeSteps, notify })
  // Loaded on demand: a server without it starts faster.
  const upstream = config.upstream && (await import('./routes/upstream/parts.js')).createUpstreamParts(config, config.upstream, { stores, formKeys })
  const signInSteps = { ...createFirstSteps(stores, relyingParty), useFactor, enrolling: upstream?.withButton(enrolling) ?? enrolling }
  const requestParts = { responseTypes, readIdToken, pushedRequests, documents }
  await fastify.register(authorize, { config, stores, ...requestParts, signInSteps, formKeys, prefix })
  const tokenParts = { keys, idTokens, inspect, responseTypes, pushedRequests, proofs, fetchedKeys, documentRefresh }
  await fastify.register(token, { config, stores, ...tokenParts, prefix })
  if (config.registration !== 'off') {
    await fastify.register(registration, { config, stores, responseTypes, guardedFetch, prefix })
  }
  await fastify.register(device, { config, stores, signInSteps, formKeys, prefix })
  await fastify.register(userinfo, { config, stores, idTokens, inspect, proofs, prefix })
  await fastify.register(directory, { issuer: config.issuer, stores, inspect, proofs, prefix })
  await registerOptional(fastify, { config, stores, formKeys, inspect, proofs, prefix })
  await fastify.register(endSession, { issuer: config.issuer, stores, formKeys, readIdToken, prefix })
  if (upstream !== undefined) await fastify.register(upstream.routes, { ...upstream, stores, signInSteps, formKeys, notify, prefix })
  await fastify.register(account, { config, stores, signInSteps, formKeys, ...settingUp, codeSteps, notify, basePath: prefix })
  await fastify.register(setPassword, { config, stores, passwordLinks, notify, prefix })
  await fastify.register(setUpFactor, { factorLinks: createFactorLinks(stores, config), signInSteps, formKeys, prefix })
  await fastify.register(forgotPassword, { stores, mailLink, prefix })
  if (mailLink !== undefined) await fastify.register(notMe, { stores, notMeLinks, mailLink, prefix })
  await fastify.register(discovery, { config, stores, published, responseTypes, basePath: prefix })
  for (const pages of [language, problems]) await fastify.register(pages, { prefix })
  await fastify.register(assets, { basePath: prefix, brand: config.brand, clientLogos: stores.clientLogos })
  await fastify.register(health, { ping: stores.ping, audit: stores.audit, auditMaxRows: config.auditMaxRows, keys })
}, { name: 'app', fastify: '5.x' })

interface OptionalParts extends Pick<Options, 'config' | 'stores'> {
  formKeys: FormKeys
  inspect: Inspect
  proofs: Proofs
  prefix: string
}

/** Registers what settings turn on. Loaded on demand: a server without it starts faster. */
async function registerOptional (fastify: FastifyInstance, { config, stores, formKeys, inspect, proofs, prefix }: OptionalParts) {
  const { outbox } = fastify
  const { adminAudience: audience } = config
  if (audience !== undefined) {
    const { default: admin } = await import('./routes/admin/index.js')
    const { default: console } = await import('./routes/console/index.js')
    const adminPath = adminPathOf(config)
    await fastify.register(admin, { config, stores, audience, inspect, proofs, prefix: `${adminPath}/api` })
    await fastify.register(console, { config, stores, formKeys, prefix: adminPath })
  }
  if (config.signUp !== 'off' && outbox !== undefined) {
    const { default: signUp } = await import('./routes/sign-up/index.js')
    await fastify.register(signUp, { config, stores, outbox, formKeys, prefix })
  }
}

/** What checks passwords and passkeys, with common limits. */
function createFirstSteps ({ users, factors, throttles }: Stores, relyingParty: RelyingParty) {
  const limitSignIn = createLimitSignIn(throttles)
  const responses = createSignedResponses(factors.passkeys, relyingParty)
  return { signIn: createSignIn(users, limitSignIn), signInWithPasskey: createSignInWithPasskey(users, responses, limitSignIn) }
}

/** What fetches keys and metadata of clients, with common limits. */
function createDocumentParts (config: Config, stores: Stores) {
  const guardedFetch = createGuardedFetch(new Outgoing({ ...config, maxAtOnce: MAX_FETCHES }))
  const limit = createFetchLimit(stores.throttles)
  const fetchDocument = config.clientMetadataDocuments ? createFetchDocument({ guardedFetch, config, clock: stores.clock }) : undefined
  const { clients, clientDocuments } = stores
  return {
    guardedFetch,
    fetchedKeys: createFetchedKeys(guardedFetch, limit),
    documents: createClientDocuments({ ...stores, config, fetchDocument, limit }),
    documentRefresh: createDocumentRefresh({ clients, documents: clientDocuments, fetchDocument, resources: config.registrationResources })
  }
}

import type { FastifyPluginAsync } from 'fastify'
import type { Config } from '../../config.js'
import { createRecordUse } from '../../consent/app-use.js'
import type { FormKeys } from '../../consent/form-keys.js'
import { createClientSessionStart } from '../../consent/client-session.js'
import { createRememberedConsent } from '../../consent/remembered-consent.js'
import { promptsOf } from '../../oauth/interaction.js'
import type { ClientDocuments } from '../../registration/client-documents.js'
import { responseModes } from '../../response-modes/index.js'
import type { ResponseType } from '../../response-types/response-type.js'
import type { Stores } from '../../stores/stores.js'
import type { PushedRequests } from '../../consent/pushed-request.js'
import type { ReadIdToken } from '../../tokens/read-id-token.js'
import type { SignInSteps } from '../visit.js'
import validateRequest from './validate-request.js'
import authorizeRoute from './authorize.js'
import consent from './consent.js'

interface Options {
  config: Config
  stores: Stores
  responseTypes: readonly ResponseType[]
  signInSteps: SignInSteps
  formKeys: FormKeys
  readIdToken: ReadIdToken
  pushedRequests: PushedRequests
  documents: ClientDocuments
}

/** `/authorize` and `/consent`: a client requests access, and a user allows or denies it (RFC 6749 §4.1, §4.2). */
const authorize: FastifyPluginAsync<Options> = async function authorize (
  fastify,
  { config, stores, responseTypes, signInSteps, formKeys, readIdToken, pushedRequests, documents }
) {
  const { issuer, defaultAudience, adminAudience, mcpResources } = config
  const offer = { responseTypes, prompts: promptsOf(config), issuer, defaultAudience, adminAudience, mcpResources }
  const clientSessions = createClientSessionStart(stores.clientSessions, config)
  const requests = { ...stores, documents, offer, responseModes, pushedRequests, issuer }
  const rememberedConsent = createRememberedConsent(stores, responseTypes, config.isLocal)
  // Requests and forms are checked by the rules of the RFCs; the schemas document them.
  fastify.setValidatorCompiler(() => () => true)

  await fastify.register(async function byQuery (scope) {
    await scope.register(validateRequest, { ...requests, source: 'query' })
    await scope.register(authorizeRoute, { issuer, source: 'query' })
    const issuing = { responseTypes, recordUse: createRecordUse(stores), clientSessions }
    await scope.register(consent, { issuing, signInSteps, formKeys, rememberedConsent, readIdToken })
  })
  await fastify.register(async function byForm (scope) {
    await scope.register(validateRequest, { ...requests, source: 'body' })
    await scope.register(authorizeRoute, { issuer, source: 'body' })
  })
}
export default authorize

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.js'
import { errors } from '../../oauth/errors.js'
import { ClientMetadata, readClientMetadata } from '../../registration/client-metadata.js'
import { hasSecret, storedSecret, type RegisteredSecrets } from '../../registration/credentials.js'
import { describeRegistration } from '../../registration/describe-registration.js'
import { USUAL_GRANTS } from '../../oauth/grant-types.js'
import { hasSectorDocument, type AssertSector } from '../../registration/sector-document.js'
import type { ResponseType } from '../../response-types/response-type.js'
import { hashOpaqueToken, randomOpaqueToken } from '../../sign-in/opaque-token.js'
import type { Registrations } from '../../stores/clients/registrations.js'
import type { Stores } from '../../stores/stores.js'
import { readBearer, ClientInformation, describeClient, registrationError, tokenError } from './responses.js'

export interface RegistrationOptions {
  config: Pick<Config, 'issuer' | 'registration' | 'registrationResources' | 'allowPrivateNetworks' | 'callbackSchemes'>
  stores: Pick<Stores, 'registrations' | 'registrationTokens' | 'clientSecrets'>
  secrets: RegisteredSecrets
  responseTypes: readonly ResponseType[]
  /** @throws OAuthError `tooManyRegistrations` */
  assertNotTooMany: (reply: FastifyReply) => Promise<void>
  assertSector: AssertSector
}

/** `POST /register`: a client registers itself (RFC 7591 §3). */
const register: FastifyPluginAsyncTypebox<RegistrationOptions> = async function register (
  fastify,
  { config, stores: { registrations, registrationTokens }, secrets, responseTypes, assertNotTooMany, assertSector }
) {
  const { issuer, registration, registrationResources: resources, allowPrivateNetworks, callbackSchemes } = config

  fastify.post('/register', {
    schema: {
      operationId: 'registerClient',
      security: [{ bearer: [] }, {}],
      summary: 'Register an app',
      tags: ['OAuth 2.0'],
      body: ClientMetadata,
      response: { 201: ClientInformation, '4xx': registrationError, '5xx': registrationError }
    }
  }, async (request, reply) => {
    const now = fastify.clock.now()
    const { client, grants, tokenHash } = await admit(reply, request.body, now)
    const accessToken = randomOpaqueToken()
    const registrationHash = hashOpaqueToken(accessToken)
    const secret = hasSecret(client) ? secrets.make(client.id, now) : undefined
    const firstSecret = secret === undefined ? null : storedSecret(secret, now)
    const outcome = await registrations.register({ client, registrableGrants: grants, registrationHash, firstSecret, tokenHash }, now)
    assertRegistered(reply, outcome)
    const entry = { event: 'registration', outcome: 'registered', clientId: client.id, details: { name: client.name } } as const
    if (tokenHash === undefined) request.auditUnproven(entry)
    else request.audit(entry)
    const registered = await registrations.find(client.id, registrationHash)
    if (registered === null) throw tokenError(reply, 'the app was removed at this moment', { client: client.id })
    return await reply.code(201).send(describeClient(describeRegistration(registered.client, issuer, responseTypes), accessToken, secret))
  })

  /** The client to register, and its permission. */
  async function admit (reply: FastifyReply, body: Static<typeof ClientMetadata>, now: Date) {
    const { grants, allowedScope, tokenHash } = await readPermission(reply, now)
    const fields = readClientMetadata(body, { grants, allowedScope, allowPrivateNetworks, callbackSchemes })
    // A token limits registrations, but not fetches: a refused registration does not spend it.
    if (tokenHash === undefined || hasSectorDocument(fields)) await assertNotTooMany(reply)
    await assertSector(fields, reply.request.ip)
    // Not a UUID, so that the `sub` of a user cannot be mistaken for a client (RFC 9068 §5).
    const id = `app-${randomBytes(16).toString('hex')}`
    return { client: { ...fields, id, allowedScope, resources, accessTokenTtl: null, demo: false }, grants, tokenHash }
  }

  /** The grant types and scopes that the client can request, and the hash of its initial access token; `undefined`: it needs none. */
  async function readPermission (reply: FastifyReply, now: Date) {
    const { request } = reply
    if (registration === 'open' && request.headers.authorization === undefined) {
      return { grants: USUAL_GRANTS, allowedScope: null, tokenHash: undefined }
    }
    const token = readBearer(request)
    const tokenHash = token && hashOpaqueToken(token)
    const found = tokenHash ? await registrationTokens.find(tokenHash, now) : null
    if (found === null) throw tokenError(reply, 'no initial access token that can register an app')
    return { grants: found.grantTypes, allowedScope: found.allowedScope, tokenHash }
  }
}
export default register

function assertRegistered (reply: FastifyReply, outcome: Awaited<ReturnType<Registrations['register']>>): void {
  if (outcome === 'spent') throw tokenError(reply, 'the initial access token was spent at this moment')
  if (outcome === 'full') throw errors.registrationsFull('too many apps have registered without a token')
}

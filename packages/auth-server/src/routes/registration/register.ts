import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.js'
import { errors } from '../../oauth/errors.js'
import { ClientMetadata, readClientMetadata } from '../../registration/client-metadata.js'
import { hasSecret } from '../../registration/credentials.js'
import { describeRegistration } from '../../registration/describe-registration.js'
import type { RegisteredSecrets } from '../../registration/client-secret.js'
import { USUAL_GRANTS } from '../../registration/usual-grants.js'
import { hasSectorDocument, type AssertSector } from '../../registration/sector-document.js'
import type { ResponseType } from '../../response-types/response-type.js'
import { hashOpaqueToken, randomOpaqueToken } from '../../sign-in/opaque-token.js'
import type { Stores } from '../../stores/stores.js'
import { bearerOf, ClientInformation, registrationError, tokenError } from './answers.js'

/** What the routes of this scope need. */
export interface RegistrationOptions {
  config: Pick<Config, 'issuer' | 'registration' | 'registrationResources' | 'allowPrivateNetworks' | 'callbackSchemes'>
  stores: Pick<Stores, 'registrations' | 'registrationTokens' | 'clientSecrets'>
  secrets: RegisteredSecrets
  responseTypes: readonly ResponseType[]
  /** @throws OAuthError `tooManyRegistrations` */
  assertNotTooMany: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  assertSector: AssertSector
}

/** `POST /register`: an app registers itself (RFC 7591 §3). */
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
    const { grants, allowedScope, tokenHash } = await admit(request, reply, now)
    const fields = readClientMetadata(request.body, { grants, allowedScope, allowPrivateNetworks, callbackSchemes })
    // A token is a limit of its own, unless an address is fetched: a refused registration does not use it up.
    if (tokenHash === undefined || hasSectorDocument(fields)) await assertNotTooMany(request, reply)
    await assertSector(fields, request.ip)
    const accessToken = randomOpaqueToken()
    const registrationHash = hashOpaqueToken(accessToken)
    // Not the form of a UUID: `sub` of a token must not be mistaken for a client (RFC 9068 §5).
    const id = `app-${randomBytes(16).toString('hex')}`
    const secret = hasSecret(fields) ? secrets.make(id, now) : undefined
    const client = { ...fields, id, allowedScope, resources, accessTokenTtl: null, demo: false }
    const outcome = await registrations.register({
      client, registrableGrants: grants, registrationHash, secretHash: secret && hashOpaqueToken(secret), tokenHash
    }, now)
    if (outcome === 'spent') throw tokenError(request, reply, 'the initial access token was spent at this moment')
    if (outcome === 'full') throw errors.registrationsFull('too many apps have registered without a token')
    const entry = { event: 'registration', outcome: 'registered', clientId: client.id, details: { name: client.name } } as const
    if (tokenHash === undefined) request.auditUnproven(entry)
    else request.audit(entry)
    const registered = await registrations.find(client.id, registrationHash)
    if (registered === null) throw tokenError(request, reply, 'the app was removed at this moment', { client: client.id })
    return await reply.code(201).send({
      ...describeRegistration(registered.client, issuer, responseTypes),
      ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
      registration_access_token: accessToken
    })
  })

  /** The grants and scopes that the app may ask for, and the hash of its initial access token; `undefined`: it needs none. */
  async function admit (request: FastifyRequest, reply: FastifyReply, now: Date) {
    if (registration === 'open' && request.headers.authorization === undefined) {
      return { grants: USUAL_GRANTS, allowedScope: null, tokenHash: undefined }
    }
    const token = bearerOf(request)
    const tokenHash = token && hashOpaqueToken(token)
    const found = tokenHash ? await registrationTokens.find(tokenHash, now) : null
    if (found === null) throw tokenError(request, reply, 'no initial access token that can register an app')
    return { grants: found.grantTypes, allowedScope: found.allowedScope, tokenHash }
  }
}
export default register

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type, type Static } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { Client } from '../../oauth/client.js'
import { metadataError, type OAuthError } from '../../oauth/errors.js'
import { ClientMetadata, readClientMetadata } from '../../registration/client-metadata.js'
import { grantsOf } from '../../registration/client-rules.js'
import { hasSecret, storedSecret } from '../../registration/credentials.js'
import { describeRegistration } from '../../registration/describe-registration.js'
import { USUAL_GRANTS } from '../../oauth/grant-types.js'
import { hashOpaqueToken, randomOpaqueToken } from '../../sign-in/opaque-token.js'
import type { Replacement } from '../../stores/clients/registrations.js'
import { readBearer, ClientInformation, describeClient, registrationError, tokenError } from './responses.js'
import type { RegistrationOptions } from './register.js'

/** An update: the complete metadata with the identifier (RFC 7592 §2.2). */
const Change = Type.Composite([
  Type.Object({
    client_id: Type.String({ description: 'Identifier of the app.' }),
    client_secret: Type.Optional(Type.String({ description: 'Its secret. The server generates it.' }))
  }),
  ClientMetadata
])

/** `/register/{client_id}`: a client reads, updates and removes its registration (RFC 7592 §2). */
const manage: FastifyPluginAsyncTypebox<RegistrationOptions> = async function manage (
  fastify,
  { config, stores: { registrations, clientSecrets }, secrets, responseTypes, assertNotTooMany, assertSector }
) {
  const { issuer, allowPrivateNetworks, callbackSchemes } = config
  const schema = {
    tags: ['OAuth 2.0'],
    security: [{ bearer: [] }],
    params: Type.Object({ client_id: Type.String() }),
    response: { 200: ClientInformation, '4xx': registrationError, '5xx': registrationError }
  }

  /** The whole registration (RFC 7592 §3). */
  async function answer (client: Client, accessToken: string) {
    const secret = hasSecret(client) ? secrets.find(await clientSecrets.list(client.id)) : undefined
    return describeClient(describeRegistration(client, issuer, responseTypes), accessToken, secret)
  }

  fastify.get('/register/:client_id', {
    schema: { ...schema, operationId: 'readRegistration', summary: 'Read the registration of an app' }
  }, async (request, reply) => {
    const { client, token, hash, isCurrent } = await findManaged(reply, request.params.client_id)
    if (isCurrent) return await answer(client, token)
    const next = randomOpaqueToken()
    if (!await registrations.renew(client.id, hash, hashOpaqueToken(next))) throw replacedError(reply, client)
    return await answer(client, next)
  })

  fastify.put('/register/:client_id', {
    schema: { ...schema, operationId: 'changeRegistration', summary: 'Change the registration of an app', body: Change }
  }, async (request, reply) => {
    const { client, registrableGrants, ...shown } = await findManaged(reply, request.params.client_id)
    const fields = await readChange(reply, request.body, client, keptGrants(client, registrableGrants))
    const accessToken = randomOpaqueToken()
    const changed = await replace(client, fields, { shown, registrationHash: hashOpaqueToken(accessToken) })
    if (changed === null) throw replacedError(reply, client)
    if (changed === 'bound') throw metadataError('token_endpoint_auth_method', 'A client that has registered keys keeps private_key_jwt.')
    request.audit({ event: 'registration', outcome: 'changed', clientId: client.id, details: { name: fields.name }, isUnproven: isOpen(client) })
    return await answer(changed, accessToken)
  })

  fastify.delete('/register/:client_id', {
    schema: {
      ...schema,
      operationId: 'removeRegistration',
      summary: 'Remove an app',
      response: { 204: Type.Null({ description: 'The app was removed. Its access is revoked within ten seconds.' }), '4xx': registrationError, '5xx': registrationError }
    }
  }, async (request, reply) => {
    const { client, hash } = await findManaged(reply, request.params.client_id)
    if (!await registrations.remove(client.id, hash)) throw tokenError(reply, 'the registration ended at this moment', { client: client.id })
    request.audit({ event: 'registration', outcome: 'removed', clientId: client.id, details: { name: client.name }, isUnproven: isOpen(client) })
    return await reply.code(204).send(null)
  })

  /** Reads and checks the metadata of an update. @throws OAuthError `registrationRefused`, `tooManyRegistrations` */
  async function readChange (reply: FastifyReply, body: Static<typeof Change>, client: Client, grants: readonly string[]) {
    const { allowedScope } = client
    const fields = readClientMetadata(body, { grants, allowedScope, allowPrivateNetworks, callbackSchemes })
    await assertSame(body, client.id)
    await assertNotTooMany(reply)
    await assertSector(fields, reply.request.ip)
    return fields
  }

  async function replace (
    client: Client, { implicit, ...fields }: ReturnType<typeof readClientMetadata>,
    present: Pick<Replacement, 'shown' | 'registrationHash'>
  ) {
    const now = fastify.clock.now()
    const secret = !hasSecret(fields)
      ? { firstSecret: null }
      : hasSecret(client) ? {} : { firstSecret: storedSecret(secrets.make(client.id, now), now) }
    const change = { ...fields, ...secret, ...(implicit === 'off' && { implicit }) }
    return await registrations.replace({ ...present, clientId: client.id, change })
  }

  /** @throws OAuthError `registrationTokenInvalid`, also for a client that is unknown, adopted or disabled */
  async function findManaged (reply: FastifyReply, clientId: string) {
    const token = readBearer(reply.request) ?? ''
    const hash = hashOpaqueToken(token)
    const managed = token === '' ? null : await registrations.find(clientId, hash)
    if (managed === null) throw tokenError(reply, 'the token manages no such registration')
    return { ...managed, token, hash }
  }

  /** @throws OAuthError `registrationRefused` if the request has another identifier or secret than the client */
  async function assertSame ({ client_id: id, client_secret: secret }: { client_id?: unknown, client_secret?: unknown }, clientId: string) {
    if (id !== clientId) throw metadataError('client_id', 'It must be the identifier of the client that the address names.')
    if (secret === undefined) return
    if (typeof secret !== 'string' || !await clientSecrets.has(clientId, hashOpaqueToken(secret))) {
      throw metadataError('client_secret', 'It cannot be chosen. Send the secret that the client has, or none.')
    }
  }
}
export default manage

function replacedError (reply: FastifyReply, { id }: Client): OAuthError {
  return tokenError(reply, 'the registration access token was replaced at this moment', { client: id })
}

/** Grant types that a client can register for: those that it was allowed, without unusual ones that it gave up. */
function keptGrants (client: Client, registrableGrants: readonly string[]): string[] {
  const current = grantsOf(client)
  return registrableGrants.filter(it => USUAL_GRANTS.includes(it) || current.includes(it))
}

/** Whether anyone can register such a client: its audit events count as unauthenticated. */
function isOpen ({ registeredBy }: Pick<Client, 'registeredBy'>): boolean {
  return registeredBy === 'open'
}

import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { after, DEVICE_CODE_TTL, POLL_INTERVAL } from '../../lifetimes.js'
import { DEVICE_CODE } from '../../oauth/grant-types.js'
import { errors } from '../../oauth/errors.js'
import { readInteraction } from '../../oauth/interaction.js'
import { readScope } from '../../oauth/openid-request.js'
import { readAudience, scopesOf, type ServerResources } from '../../oauth/resource.js'
import { createCountDevice } from '../../sign-in/device-limits.js'
import { hashOpaqueToken, randomOpaqueToken } from '../../sign-in/opaque-token.js'
import { randomUserCode, showUserCode } from '../../sign-in/user-code.js'
import type { DeviceRequest } from '../../stores/grants/device-codes.js'
import type { Stores } from '../../stores/stores.js'
import { ClientForm, clientEndpoint, tokenErrors } from './client-form.js'

const DeviceForm = Type.Composite([ClientForm, Type.Object({
  scope: Type.Optional(Type.String({ description: 'Space-separated scopes. Default: the client\'s default scopes.' })),
  resource: Type.Optional(Type.String({ description: 'Resource that the token is for (RFC 8707).' })),
  acr_values: Type.Optional(Type.String({ description: 'Accepted levels of the sign-in, space-separated, as at `/authorize`.' })),
  max_age: Type.Optional(Type.String({ description: 'Maximum age of the sign-in, in seconds, as at `/authorize`.' }))
})])

/** Successful response of `POST /device_authorization` (RFC 8628 §3.2). */
const DeviceAuthorization = Type.Object({
  device_code: Type.String({ description: 'The device sends it to get tokens.' }),
  user_code: Type.String({ description: 'The device shows it, and the user types it: eight letters with a dash.' }),
  verification_uri: Type.String({ description: 'Address that the user opens on another device.' }),
  verification_uri_complete: Type.String({ description: 'The same with the user code, for a QR code. The page asks the user to confirm.' }),
  expires_in: Type.Integer({ description: 'Lifetime of both codes, in seconds.' }),
  interval: Type.Integer({ description: 'Seconds between two requests for tokens.' })
})

/** Maximum attempts to draw unused codes. A collision occurs once in millions of requests. */
const MAX_DRAWS = 3

interface Options { issuer: string, server: ServerResources, stores: Pick<Stores, 'deviceCodes' | 'throttles'> }

/** `POST /device_authorization`: a device without a browser requests access (RFC 8628 §3.1). */
const deviceAuthorization: FastifyPluginAsyncTypebox<Options> = async function deviceAuthorization (
  fastify,
  { issuer, server, stores: { deviceCodes, throttles } }
) {
  const countDevice = createCountDevice(throttles)

  fastify.post('/device_authorization', {
    schema: {
      ...clientEndpoint,
      operationId: 'authorizeDevice',
      summary: 'Request access for a device',
      body: DeviceForm,
      response: { 200: DeviceAuthorization, ...tokenErrors }
    }
  }, async (request, reply) => {
    const { code, userCode } = await draw(await admit(reply))
    return {
      device_code: code,
      user_code: userCode,
      verification_uri: `${issuer}/device`,
      verification_uri_complete: `${issuer}/device?user_code=${userCode}`,
      expires_in: DEVICE_CODE_TTL,
      interval: POLL_INTERVAL
    }
  })

  /**
   * Reads the device's request. RFC 8628 defines no parameters for the sign-in: these are those of authorization requests (RFC 9470 §4).
   * @throws OAuthError `unauthorizedGrant`, `tooManyDevices`, and those of the scope, the resource and `max_age`
   */
  async function admit (reply: FastifyReply): Promise<DeviceRequest> {
    const { client, form, ip } = reply.request
    if (!client.grantTypes.includes(DEVICE_CODE)) {
      throw errors.unauthorizedGrant(`the client is not allowed to use ${DEVICE_CODE}`, { client: client.id })
    }
    // The same scopes as for an authorization code.
    const audience = readAudience(form, client, server)
    const gives = { idToken: 'on request', accessToken: true, refreshToken: true } as const
    const scope = readScope(form, client, gives, scopesOf(audience, client, server)).join(' ')
    const { acrs, maxAge } = readInteraction({ acr_values: form.acr_values, max_age: form.max_age }, false)
    const retryAfter = await countDevice(client.id, client.tokenEndpointAuthMethod === 'none' ? ip : undefined)
    if (retryAfter > 0) {
      reply.header('retry-after', retryAfter)
      throw errors.tooManyDevices('too many device authorization requests', { client: client.id })
    }
    return { clientId: client.id, scope, audience, acrValues: acrs.join(' '), maxAge: maxAge ?? null }
  }

  /** Stores the request under unused codes. */
  async function draw (request: DeviceRequest) {
    const createdAt = fastify.clock.now()
    const expiresAt = after(createdAt, DEVICE_CODE_TTL)
    for (let count = 0; count < MAX_DRAWS; count++) {
      const [code, userCode] = [randomOpaqueToken(), randomUserCode()]
      const hashes = { hash: hashOpaqueToken(code), userCodeHash: hashOpaqueToken(userCode) }
      const added = await deviceCodes.add({ ...request, ...hashes, pollInterval: POLL_INTERVAL, createdAt, expiresAt })
      if (added) return { code, userCode: showUserCode(userCode) }
    }
    throw errors.invalidClient('the client was disabled or removed during the request', { client: request.clientId })
  }
}
export default deviceAuthorization

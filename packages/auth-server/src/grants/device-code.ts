import { DEVICE_CODE } from '../oauth/grant-types.js'
import { errors, parameterError, type OAuthError } from '../oauth/errors.js'
import { single } from '../oauth/parameters.js'
import { readResource } from '../oauth/resource.js'
import { hashOpaqueToken } from '../sign-in/opaque-token.js'
import type { Polled } from '../stores/grants/device-poll.js'
import { issueForCode, tokensForCode, revokeReused } from './new-tokens.js'
import type { GrantParts, GrantType, TokenRequest } from './grant-type.js'

/** Exchanges a device code for tokens once a user has allowed it in a browser (RFC 8628 §3.4). Reuse revokes the grant. */
export const deviceCode: GrantType<'deviceCodes' | 'revocations'> = {
  name: DEVICE_CODE,
  async issue (parts, request) {
    const { stores, tokens, server } = parts
    const { client, form, now } = request
    const code = single(form, 'device_code')
    if (code === undefined) throw parameterError('device_code', 'is missing')
    const { newTokens, refreshToken } = tokensForCode(tokens, request)
    const poll = { hash: hashOpaqueToken(code), clientId: client.id, audience: readResource(form, client, server) }
    const polled = await stores.deviceCodes.poll(poll, newTokens, now)
    if (polled.state !== 'granted') throw await pollError(polled, parts, request)
    return await issueForCode(parts, request, { ...polled, nonce: null }, { grantType: DEVICE_CODE, refreshToken })
  }
}

/** The error for a device without tokens (RFC 8628 §3.5). */
async function pollError (
  polled: Exclude<Polled, { state: 'granted' }>, parts: GrantParts<'revocations'>, request: TokenRequest
): Promise<OAuthError> {
  const facts = { client: request.client.id }
  switch (polled.state) {
    case 'pending': return errors.authorizationPending('the user has not decided yet', facts)
    case 'early': return errors.slowDown('the device polls too often', facts)
    case 'denied': return errors.deviceDenied('Deny was pressed', facts)
    case 'expired': return errors.expiredToken('the device code has expired', facts)
    case 'spent':
      await revokeReused(parts, request, polled.grantId)
      return errors.invalidGrant('the device code was used a second time: its grant is revoked', { ...facts, grant: polled.grantId })
    case 'elsewhere': return errors.invalidTarget('resource was not granted', facts)
    case 'invalid': return errors.invalidGrant('the device code is unknown or revoked, or belongs to another client', facts)
  }
}

import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { Client } from '../oauth/client.js'
import { reason, type Reason } from '../languages/reason.js'

/** The fields that {@link findProfileFaults} checks together. */
export const PROFILE_FIELDS = [
  'profile', 'callbacks', 'grantTypes', 'tokenEndpointAuthMethod', 'pkce', 'jwks', 'native', 'implicit',
  'requirePushedAuthorizationRequests', 'dpopBoundAccessTokens', 'idTokenSignedResponseAlg', 'userinfoSignedResponseAlg'
] as const
export type ProfileColumns = Pick<Client, typeof PROFILE_FIELDS[number]>

/** Grant types of FAPI 2.0. */
const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials']

/** Finds violations of a client's profile (FAPI 2.0 Security Profile §5.3.2, §5.4). */
export function findProfileFaults (app: ProfileColumns): Reason[] {
  if (app.profile === null) return []
  const rules: Array<[isRight: boolean, why: Reason]> = [
    [app.tokenEndpointAuthMethod === 'private_key_jwt' && app.jwks !== null, reason('reason.fapi.assertions')],
    [app.requirePushedAuthorizationRequests, reason('reason.fapi.pushed')],
    [app.dpopBoundAccessTokens, reason('reason.fapi.dpop')],
    [app.pkce === 'required', reason('reason.fapi.pkce')],
    [
      app.implicit === 'off' && app.grantTypes.every(it => GRANTS.includes(it)),
      reason('reason.fapi.grants', { grants: GRANTS.join(', ') })
    ],
    [!app.native && app.callbacks.every(it => it.startsWith('https:')), reason('reason.fapi.callbacks')],
    [
      app.idTokenSignedResponseAlg !== 'RS256' && app.userinfoSignedResponseAlg !== 'RS256',
      reason('reason.fapi.signed')
    ],
    [areStrong(app.jwks), reason('reason.fapi.keys')]
  ]
  return rules.filter(([isRight]) => !isRight).map(([, why]) => why)
}

/** Whether all keys of a JWK Set are strong, and of a type that FAPI 2.0 allows (§5.4.1). */
function areStrong (jwks: string | null): boolean {
  // as: validated before.
  const { keys } = JSON.parse(jwks ?? '{"keys":[]}') as { keys: JsonWebKey[] }
  return keys.every(({ kty, crv, ...key }) => {
    if (kty === 'EC') return crv === 'P-256'
    if (kty === 'OKP') return crv === 'Ed25519'
    if (kty !== 'RSA') return false
    try {
      return (createPublicKey({ key: { kty, ...key }, format: 'jwk' }).asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
    } catch {
      return false
    }
  })
}

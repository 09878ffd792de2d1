import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { Client } from '../oauth/client.js'

/** The fields that {@link findProfileFaults} checks together. */
export const PROFILE_FIELDS = [
  'profile', 'callbacks', 'grantTypes', 'tokenEndpointAuthMethod', 'pkce', 'jwks', 'native', 'implicit',
  'requirePushedAuthorizationRequests', 'dpopBoundAccessTokens', 'idTokenSignedResponseAlg', 'userinfoSignedResponseAlg'
] as const
export type ProfileColumns = Pick<Client, typeof PROFILE_FIELDS[number]>

/** Grant types of FAPI 2.0. */
const GRANTS = ['authorization_code', 'refresh_token', 'client_credentials']

/** Finds violations of a client's profile (FAPI 2.0 Security Profile §5.3.2, §5.4). Returns a sentence for each. */
export function findProfileFaults (app: ProfileColumns): string[] {
  if (app.profile === null) return []
  const rules: Array<[isRight: boolean, sentence: string]> = [
    [app.tokenEndpointAuthMethod === 'private_key_jwt' && app.jwks !== null, 'signs assertions: add --jwks.'],
    [app.requirePushedAuthorizationRequests, 'pushes its requests: add --require-par.'],
    [app.dpopBoundAccessTokens, 'binds its tokens to a key: add --require-dpop.'],
    [app.pkce === 'required', 'uses PKCE: --pkce required.'],
    [app.implicit === 'off' && app.grantTypes.every(it => GRANTS.includes(it)), `uses no other grants than ${GRANTS.join(', ')}.`],
    [!app.native && app.callbacks.every(it => it.startsWith('https:')), 'has only callbacks that begin with https, and is not native.'],
    [
      app.idTokenSignedResponseAlg !== 'RS256' && app.userinfoSignedResponseAlg !== 'RS256',
      'gets ID tokens and /userinfo responses that are signed with ES256, EdDSA or Ed25519: --id-token-alg ES256.'
    ],
    [areStrong(app.jwks), 'has keys for ES256, EdDSA or PS256, and RSA keys of 2048 bits or more.']
  ]
  return rules.filter(([isRight]) => !isRight).map(([, sentence]) => `A client with the profile fapi2 ${sentence}`)
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

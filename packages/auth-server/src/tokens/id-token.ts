import type { SigningAlg } from '@frontdesk/schemas/jwks'
import { hash } from 'node:crypto'
import type { IdTokenSigner } from '../keys/id-token-signer.js'
import { numericDate } from '../lifetimes.js'
import { authenticationClaims, type Authentication } from '../oauth/authentication.js'
import type { Client } from '../oauth/client.js'
import { sessionIdFor } from '../oauth/session-id.js'
import type { Claims } from './claims.js'

interface IdTokenContent {
  readonly issuer: string
  /** The user, as the client knows them. */
  readonly subject: string
  readonly client: Pick<Client, 'id' | 'idTokenSignedResponseAlg'>
  readonly authentication: Authentication
  /** `nonce` of the authorization request; `null`: none, or a refreshed token (OpenID Connect Core §12.2). */
  readonly nonce: string | null
  /** The session at a client that receives logout tokens (OpenID Connect Back-Channel Logout §2.1); `null`: no `sid`. */
  readonly sid: string | null
  /** The access token in the same response; `undefined` without one. */
  readonly accessToken: string | undefined
  /** Further claims about the user. */
  readonly claims?: Claims
}

/** The algorithm of `at_hash` by that of the signature (OpenID Connect Core §3.2.2.9). */
const HASHES: Record<SigningAlg, string> = { RS256: 'sha256', ES256: 'sha256', EdDSA: 'sha512', Ed25519: 'sha512' }

/** Makes an ID token (OpenID Connect Core §2). @param ttl in seconds */
export async function mintIdToken (signer: Pick<IdTokenSigner, 'sign'>, content: IdTokenContent, now: Date, ttl: number): Promise<string> {
  const { issuer, subject, client, authentication, nonce, sid, accessToken, claims } = content
  const alg = client.idTokenSignedResponseAlg
  const iat = numericDate(now)
  return await signer.sign({
    ...claims,
    iss: issuer,
    sub: subject,
    aud: client.id,
    iat,
    exp: iat + ttl,
    ...authenticationClaims(authentication),
    ...(nonce !== null && { nonce }),
    ...(sid !== null && { sid: sessionIdFor(client.id, sid) }),
    ...(accessToken !== undefined && { at_hash: leftHalf(hash(HASHES[alg], accessToken, 'buffer')) })
  }, alg)
}

function leftHalf (digest: Buffer): string {
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

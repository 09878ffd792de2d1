import type { SigningAlg } from '@frontdesk/schemas/jwks'
import { hash } from 'node:crypto'
import type { IdTokenSigner } from '../keys/id-token-signer.js'
import { ACR } from '../oauth/acr.js'
import type { Client } from '../oauth/client.js'
import { sessionIdFor } from '../oauth/session-id.js'
import type { Claims } from './claims.js'

/** What an ID token says. */
interface IdTokenContent {
  readonly issuer: string
  /** The person, as the client knows them. */
  readonly subject: string
  readonly client: Pick<Client, 'id' | 'idTokenSignedResponseAlg'>
  readonly authTime: Date
  /** `nonce` of the authorization request; `null`: none, or the token comes by refresh (OpenID Connect Core §12.2). */
  readonly nonce: string | null
  /** Session of the person at an app that gets logout tokens (OpenID Connect Back-Channel Logout §2.1); `null`: no `sid`. */
  readonly sid: string | null
  /** The access token in the same response; `undefined` without one. */
  readonly accessToken: string | undefined
  /** More about the person. */
  readonly claims?: Claims
}

/** Hashes of access tokens, by the algorithm of the ID token (OpenID Connect Core §3.2.2.9). */
const HASHES: Record<SigningAlg, string> = { RS256: 'sha256', ES256: 'sha256', EdDSA: 'sha512', Ed25519: 'sha512' }

/** Makes an ID token (OpenID Connect Core §2). `ttl` in seconds. */
export async function mintIdToken (signer: Pick<IdTokenSigner, 'sign'>, content: IdTokenContent, now: Date, ttl: number): Promise<string> {
  const { issuer, subject, client, authTime, nonce, sid, accessToken, claims } = content
  const alg = client.idTokenSignedResponseAlg
  const iat = seconds(now)
  return await signer.sign({
    ...claims,
    iss: issuer,
    sub: subject,
    aud: client.id,
    iat,
    exp: iat + ttl,
    auth_time: seconds(authTime),
    acr: ACR,
    // RFC 8176: there are only passwords.
    amr: ['pwd'],
    ...(nonce !== null && { nonce }),
    ...(sid !== null && { sid: sessionIdFor(client.id, sid) }),
    ...(accessToken !== undefined && { at_hash: leftHalf(hash(HASHES[alg], accessToken, 'buffer')) })
  }, alg)
}

function leftHalf (digest: Buffer): string {
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

function seconds (time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}

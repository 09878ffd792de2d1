import { randomUUID } from 'node:crypto'
import type { IdTokenSigner } from '../keys/id-token-signer.js'
import { numericDate } from '../lifetimes.js'
import type { Client } from '../oauth/client.js'
import { sessionIdFor } from '../oauth/session-id.js'
import { subjectOf } from '../oauth/subject.js'

interface LogoutTokenContent {
  readonly issuer: string
  readonly client: Client
  readonly userId: string
  /** The `sid` of the ended browser session or device. */
  readonly sid: string
}

/** Lifetime of a logout token, in seconds: two minutes at most (OpenID Connect Back-Channel Logout §4). */
const TTL_S = 120

/** The event of a logout token (§2.4). */
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Makes a logout token (OpenID Connect Back-Channel Logout §2.4), signed like the client's ID tokens. */
export async function mintLogoutToken (
  signer: Pick<IdTokenSigner, 'sign'>, { issuer, client, userId, sid }: LogoutTokenContent, now: Date
): Promise<string> {
  const iat = numericDate(now)
  return await signer.sign({
    iss: issuer,
    sub: subjectOf(client, userId),
    aud: client.id,
    iat,
    exp: iat + TTL_S,
    jti: randomUUID(),
    sid: sessionIdFor(client.id, sid),
    events: { [EVENT]: {} }
  }, client.idTokenSignedResponseAlg, 'logout+jwt')
}

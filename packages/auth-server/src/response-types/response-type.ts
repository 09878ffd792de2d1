import type { AuthorizationRequest } from '../oauth/authorization-request.js'
import type { Client } from '../oauth/client.js'
import type { Gives } from '../oauth/openid-request.js'

/** An authorization request that its resource owner has allowed. */
export interface AuthorizedRequest {
  readonly request: AuthorizationRequest
  readonly userId: string
  readonly authTime: Date
  /** Sum of the access epochs of the person, the client and the person at the client when the request began. */
  readonly epoch: number
  /** Nonce of the form token: single-use. */
  readonly nonce: string
  /** Whether it was allowed without asking, by remembered consent. */
  readonly isSilent: boolean
  /** `sid` of its ID tokens, if the app gets logout tokens; `null`: none. */
  readonly sid: string | null
}

/** A response type of `/authorize`: one file each, listed in index.ts. */
export interface ResponseType {
  /** Value of `response_type` (RFC 6749 §3.1.1), its words in alphabetical order. */
  readonly name: string
  /** Names of the allowed response modes, the default first. */
  readonly responseModes: readonly [string, ...string[]]
  /** Whether a request needs a code challenge (RFC 7636). */
  readonly needsChallenge: boolean
  /** Which tokens it leads to. */
  readonly gives: Gives
  /** Whether remembered consent suffices, if the callback proves the identity of the client. */
  readonly isRepeatable: boolean
  /** Grant type that clients register for it (RFC 7591 §2). */
  readonly grantType: string
  /** Whether the client may use it. @throws OAuthError after the end of a deprecation, with the alternative */
  allows (client: Client, now: Date): boolean
  /**
   * Issues the response parameters; `null`, with nothing issued, if the session, the remembered consent or the access of the
   * person or client was revoked in the meantime. Atomic: exactly one of several calls with the same nonce succeeds.
   * @throws OAuthError `spentForm` if the nonce is spent
   */
  issue (consent: AuthorizedRequest, now: Date): Promise<Record<string, string | number> | null>
}

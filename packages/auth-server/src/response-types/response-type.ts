import type { Authentication } from '../oauth/authentication.js'
import type { AuthorizationRequest } from '../oauth/authorization-request.js'
import type { Client } from '../oauth/client.js'
import type { Gives } from '../oauth/openid-request.js'

/** An authorization request that its resource owner has allowed. */
export interface AuthorizedRequest {
  readonly request: AuthorizationRequest
  readonly userId: string
  readonly authentication: Authentication
  /** The `grantEpoch` when the request began. */
  readonly epoch: number
  /** Single-use nonce of the form token. */
  readonly nonce: string
  /** Whether remembered consent allowed it, without asking the user. */
  readonly isSilent: boolean
  /** `sid` of its ID tokens if the client receives logout tokens, or of the browser session for the console; `null`: none. */
  readonly sid: string | null
}

/** A response type of `/authorize`, listed in index.ts. */
export interface ResponseType {
  /** Value of `response_type` (RFC 6749 §3.1.1), its words in alphabetical order. */
  readonly name: string
  /** Names of the allowed response modes, the default first. */
  readonly responseModes: readonly [string, ...string[]]
  /** Whether a request needs a code challenge (RFC 7636). */
  readonly needsChallenge: boolean
  /** The tokens that it issues, directly or for a code. */
  readonly gives: Gives
  /** Whether remembered consent suffices, if the callback proves the identity of the client. */
  readonly isRepeatable: boolean
  /** Grant type that clients register for it (RFC 7591 §2). */
  readonly grantType: string
  /** Whether the client can use it. @throws OAuthError after the end of a deprecation, with the alternative */
  allows (client: Client, now: Date): boolean
  /**
   * Atomic: issues the response parameters. Exactly one concurrent call with the same nonce succeeds. Returns `null`, with nothing
   * issued, if the session, the remembered consent or the access of the user or client was revoked in the meantime.
   * @throws OAuthError `spentForm` if the nonce is spent
   */
  issue (consent: AuthorizedRequest, now: Date): Promise<Record<string, string | number> | null>
}

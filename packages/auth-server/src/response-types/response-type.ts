import type { AuthorizationRequest } from '../oauth/authorization-request.js'
import type { Client } from '../oauth/client.js'

/** An authorization request that its resource owner has allowed. */
export interface AuthorizedRequest {
  readonly request: AuthorizationRequest
  readonly userId: string
  readonly authTime: Date
  /** Sum of the access epochs of the person, the client and the person at the client when the request began. */
  readonly epoch: number
  /** The consent page's nonce: spent with what is issued. */
  readonly nonce: string
  /** Whether nobody was asked, since all of it is remembered. */
  readonly isSilent: boolean
}

/** What `/authorize` can give: one file each, listed in index.ts. */
export interface ResponseType {
  /** Value of `response_type` (RFC 6749 §3.1.1). */
  readonly name: string
  /** How its answer may go: names of the list of response modes, the usual one first. */
  readonly responseModes: readonly [string, ...string[]]
  /** Whether a request for it has to hold a code challenge (RFC 7636). */
  readonly needsChallenge: boolean
  /** Whether it is given again without asking what was allowed before, where the callback proves who the client is. */
  readonly isRepeatable: boolean
  /** Grant type that clients register for it (RFC 7591 §2). */
  readonly grantType: string
  /** Whether the client may use it. @throws OAuthError if it may no longer, which says what to use instead */
  allows (client: Client, now: Date): boolean
  /**
   * Issues what the callback gets, as parameters; `null`, with nothing issued, if the session, the consent that is
   * remembered or the access of the person or client has ended meanwhile. Of several calls with one nonce, one succeeds.
   * @throws OAuthError `spentForm` for the others
   */
  issue (consent: AuthorizedRequest, now: Date): Promise<Record<string, string | number> | null>
}

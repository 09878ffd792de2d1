import type { AuthorizationRequest } from '../oauth/authorization-request.js'
import type { Client } from '../oauth/client.js'

/** A resource owner who said yes. */
export interface Consent {
  readonly request: AuthorizationRequest
  readonly userId: string
  readonly authTime: Date
  /** The consent page's nonce: spent with what is issued. */
  readonly nonce: string
}

/** What `/authorize` can give: one file each, listed in index.ts. */
export interface ResponseType {
  /** Value of `response_type` (RFC 6749 §3.1.1). */
  readonly name: string
  /** Where its answer may go. */
  readonly responseModes: readonly string[]
  /** Grant type that clients register for it (RFC 7591 §2). */
  readonly grantType: string
  /** Whether the client may use it. */
  allows (client: Client): boolean
  /**
   * Issues what the callback gets, as parameters. Of several calls with one nonce, one succeeds.
   * @throws OAuthError `spentForm` for the others
   */
  issue (consent: Consent, now: Date): Promise<Record<string, string | number>>
}

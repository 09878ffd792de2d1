import type { Client } from '../oauth/client.js'
import type { Parameters } from '../oauth/parameters.js'
import type { TokenResponse } from '../oauth/token-response.js'
import type { Stores } from '../stores/stores.js'
import type { TokenIssuer } from '../tokens/issue.js'

/** The stores of all grant types. */
type GrantStores = Pick<Stores, 'clients' | 'codes' | 'deviceCodes' | 'refreshTokens' | 'revocations'>

/** What grant types need. */
export interface GrantParts<Needed extends keyof GrantStores = keyof GrantStores> {
  readonly stores: Pick<GrantStores, Needed>
  readonly tokens: TokenIssuer
  /** Resource of a request without one. */
  readonly defaultAudience: string
}

/** A request for tokens. */
export interface TokenRequest {
  /** Has authenticated, and may use the grant type. */
  readonly client: Client
  readonly form: Parameters
  /** Thumbprint of the key that it has proven, which the access token is bound to (RFC 9449 §5); `undefined`: none. */
  readonly jkt: string | undefined
  readonly now: Date
}

/** Issued tokens, and for whom. */
export interface Issued {
  readonly answer: TokenResponse
  /** The resource owner; `null` if the client acts on its own behalf. */
  readonly userId: string | null
  /** More for the audit trail. */
  readonly details?: Record<string, string>
}

/** A grant type of `/token`: one file each, listed in index.ts. It names the stores that it needs. */
export interface GrantType<Needed extends keyof GrantStores = keyof GrantStores> {
  /** Value of `grant_type` (RFC 6749 §4), which clients register for. */
  readonly name: string
  /** Issues tokens for a form. @throws OAuthError of RFC 6749 §5.2 */
  issue (parts: GrantParts<Needed>, request: TokenRequest): Promise<Issued>
}

import type { Client } from '../oauth/client.js'
import type { Parameters } from '../oauth/parameters.js'
import type { ServerResources } from '../oauth/resource.js'
import type { TokenResponse } from '../oauth/token-response.js'
import type { Stores } from '../stores/stores.js'
import type { TokenIssuer } from '../tokens/issue.js'

type GrantStores = Pick<Stores, 'clients' | 'codes' | 'deviceCodes' | 'refreshTokens' | 'revocations'>

export interface GrantParts<Needed extends keyof GrantStores = keyof GrantStores> {
  readonly stores: Pick<GrantStores, Needed>
  readonly tokens: TokenIssuer
  readonly server: ServerResources
}

/** A token request. */
export interface TokenRequest {
  /** Authenticated, and registered for the grant type. */
  readonly client: Client
  readonly form: Parameters
  /** Thumbprint of its DPoP key, which the access token is bound to (RFC 9449 §5); `undefined`: none. */
  readonly jkt: string | undefined
  readonly now: Date
}

/** Issued tokens, and for whom. */
export interface Issued {
  readonly response: TokenResponse
  /** The resource owner; `null` if the client acts on its own behalf. */
  readonly userId: string | null
  /** Details for the audit trail. */
  readonly details?: Record<string, string>
}

/** A grant type of `/token`, with the stores that it needs: one file each, listed in index.ts. */
export interface GrantType<Needed extends keyof GrantStores = keyof GrantStores> {
  /** Value of `grant_type` (RFC 6749 §4), which clients register for. */
  readonly name: string
  /** Issues tokens. @throws OAuthError of RFC 6749 §5.2 */
  issue (parts: GrantParts<Needed>, request: TokenRequest): Promise<Issued>
}

import type { Client } from '../oauth/client.js'
import type { Parameters } from '../oauth/parameters.js'
import type { Stores } from '../stores/stores.js'

/** What a request to the token endpoint shows of the client that makes it. */
export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization: string | undefined
  readonly form: Parameters
}

/** What the ways to authenticate work with. */
export interface ClientAuthParts {
  readonly stores: Pick<Stores, 'clients' | 'clientSecrets' | 'clientAssertions'>
  readonly issuer: string
}

/** How a client can authenticate: one file each, listed in index.ts. */
export interface ClientAuth {
  /** Value of `token_endpoint_auth_method` (RFC 7591 §2). */
  readonly name: string
  /**
   * The client_id that the request shows in this way; `undefined` if it does not use this way.
   * @throws OAuthError `invalidClient` if it cannot be read
   */
  claims (credentials: Credentials): string | undefined
  /** Whether it really is the client. @throws OAuthError `invalidClient` with the reason, where there are several */
  verify (parts: ClientAuthParts, client: Client, credentials: Credentials, now: Date): Promise<boolean>
}

import type { Client } from '../oauth/client.js'
import type { Parameters } from '../oauth/parameters.js'
import type { Stores } from '../stores/stores.js'

/** What a request shows of the client that makes it. */
export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization: string | undefined
  readonly form: Parameters
  /** Path of the endpoint that is called, below the issuer. */
  readonly endpoint: '/token' | '/revoke' | '/introspect'
}

/** What the authentication methods work with. */
export interface ClientAuthParts {
  readonly stores: Pick<Stores, 'clients' | 'clientSecrets' | 'clientAssertions'>
  readonly issuer: string
}

/** How a client can authenticate: one file each, listed in index.ts. */
export interface ClientAuth {
  /** Value of `token_endpoint_auth_method` (RFC 7591 §2). */
  readonly name: string
  /** What the client proves that it has. A client may use every method with the proof of the one it is registered for. */
  readonly proof: 'nothing' | 'secret' | 'key'
  /**
   * The client_id that the request shows with this method; `undefined` if it does not use this method.
   * @throws OAuthError `invalidClient` if it cannot be read
   */
  claims (credentials: Credentials): string | undefined
  /** Whether it really is the client. @throws OAuthError `invalidClient` with the reason, where there are several */
  verify (parts: ClientAuthParts, client: Client, credentials: Credentials, now: Date): Promise<boolean>
}

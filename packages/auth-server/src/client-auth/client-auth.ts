import type { Client } from '../oauth/client.js'
import type { Parameters } from '../oauth/parameters.js'
import type { Stores } from '../stores/stores.js'
import type { Basic } from './basic.js'

/** The parts of a request that can authenticate its client. */
export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization: string | undefined
  readonly form: Parameters
  /** Path of the endpoint, relative to the issuer. */
  readonly endpoint: '/token' | '/revoke' | '/introspect' | '/par' | '/device_authorization'
}

/** The same, with the `Authorization` header read. */
export interface Presented extends Omit<Credentials, 'authorization'> {
  /** `undefined` without the header. */
  readonly basic: Basic | undefined
}

/** What the authentication methods need. */
export interface ClientAuthParts {
  readonly stores: Pick<Stores, 'clients' | 'clientSecrets' | 'clientAssertions'>
  readonly issuer: string
}

/** A client authentication method: one file each, listed in index.ts. */
export interface ClientAuth {
  /** Value of `token_endpoint_auth_method` (RFC 7591 §2). */
  readonly name: string
  /** What the client proves to have. A client may use any method with the same proof as its registered one. */
  readonly proof: 'nothing' | 'secret' | 'key'
  /**
   * The client_id of a request with this method; `undefined` if the request does not use this method.
   * @throws OAuthError `invalidClient` if it cannot be read
   */
  claims (presented: Presented): string | undefined
  /** Whether the proof is valid. @throws OAuthError `invalidClient` with a more precise reason */
  verify (parts: ClientAuthParts, client: Client, presented: Presented, now: Date): Promise<boolean>
}

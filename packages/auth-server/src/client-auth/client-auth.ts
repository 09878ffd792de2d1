import type { createKeySet } from '@frontdesk/service-kit/key-set'
import type { Client } from '../oauth/client.js'
import type { Parameters } from '../oauth/parameters.js'
import type { Stores } from '../stores/stores.js'
import type { Basic } from './basic.js'

/** The parts of a request that can authenticate its client. */
export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization: string | undefined
  readonly form: Parameters
  /** The client's IP address. */
  readonly address: string
  /** Path of the endpoint, relative to the issuer. */
  readonly endpoint: '/token' | '/revoke' | '/introspect' | '/par' | '/device_authorization'
}

/** The same, with the `Authorization` header read. */
export interface Presented extends Omit<Credentials, 'authorization'> {
  /** `undefined` without the header. */
  readonly basic: Basic | undefined
}

export type FindKey = ReturnType<typeof createKeySet>

/** Keys that clients publish at their `jwks_uri` (RFC 7591 §2). */
export interface FetchedKeys {
  /**
   * A client's keys, at most as old as their Cache-Control allows.
   * @param address source of the request that needs them
   * @param isRefused whether the cached keys did not match: the client may have replaced them
   * @throws OAuthError `invalidClient` if there are none
   */
  at (client: { jwksUri: string, registeredBy: Client['registeredBy'] }, address: string, now: Date, isRefused?: boolean): Promise<FindKey>
}

/** Updates stored clients from their metadata documents. */
export interface DocumentRefresh {
  /**
   * The client as its document describes it, at most as old as its Cache-Control allows. If the document cannot be fetched or read,
   * the stored one stays valid for another hour. Returns clients without a document unchanged.
   * @param address source of the request
   * @param isRefused whether the client's keys did not match a signature: its publisher may have replaced them
   * @throws OAuthError `invalidClient` if the document is withdrawn or too old; `tooManyDocuments`
   */
  current (client: Client, address: string, now: Date, isRefused?: boolean): Promise<Client>
}

export interface ClientAuthParts {
  readonly stores: Pick<Stores, 'clients' | 'clientSecrets' | 'spentIds'>
  readonly issuer: string
  readonly fetchedKeys: FetchedKeys
  readonly documentRefresh: DocumentRefresh
}

/** A client authentication method: one file each, listed in index.ts. */
export interface ClientAuth {
  /** Value of `token_endpoint_auth_method` (RFC 7591 §2). */
  readonly name: string
  /** What the client proves to have. A client can use any method with the same proof as its registered one. */
  readonly proof: 'nothing' | 'secret' | 'key'
  /**
   * The client_id of a request with this method; `undefined` if the request does not use this method.
   * @throws OAuthError `invalidClient` if it cannot be read
   */
  claims (presented: Presented): string | undefined
  /** Whether the proof is valid. @throws OAuthError `invalidClient` with a more precise reason */
  verify (parts: ClientAuthParts, client: Client, presented: Presented, now: Date): Promise<boolean>
}

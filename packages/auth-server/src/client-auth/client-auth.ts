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
  /** Of the client. */
  readonly address: string
  /** Path of the endpoint, relative to the issuer. */
  readonly endpoint: '/token' | '/revoke' | '/introspect' | '/par' | '/device_authorization'
}

/** The same, with the `Authorization` header read. */
export interface Presented extends Omit<Credentials, 'authorization'> {
  /** `undefined` without the header. */
  readonly basic: Basic | undefined
}

/** Finds the key of a signature. */
export type Find = ReturnType<typeof createKeySet>

/** Keys that apps publish at their `jwks_uri` (RFC 7591 §2). */
export interface FetchedKeys {
  /**
   * The keys of an app at its address, at most as old as its Cache-Control says.
   * @param address source of the request that needs them
   * @param isRefused whether the keys before were not the right ones: they may have been replaced
   * @throws OAuthError `invalidClient` if there are none
   */
  at (client: { jwksUri: string, registeredBy: Client['registeredBy'] }, address: string, now: Date, isRefused?: boolean): Promise<Find>
}

/** Keeps the stored apps that documents describe as their documents are. */
export interface DocumentRefresh {
  /**
   * The app as its document is, at most as old as its Cache-Control says. A document that cannot be fetched or read counts for
   * an hour more. Other apps are returned as they are.
   * @param address source of the request
   * @param isRefused whether no key of the app verified a signature: its publisher may have replaced them
   * @throws OAuthError `invalidClient` if the document is withdrawn or too old; `tooManyDocuments`
   */
  current (client: Client, address: string, now: Date, isRefused?: boolean): Promise<Client>
}

/** What the authentication methods need. */
export interface ClientAuthParts {
  readonly stores: Pick<Stores, 'clients' | 'clientSecrets' | 'clientAssertions'>
  readonly issuer: string
  /** Keys that clients publish. */
  readonly fetchedKeys: FetchedKeys
  readonly documentRefresh: DocumentRefresh
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

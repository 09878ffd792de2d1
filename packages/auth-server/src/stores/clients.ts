import type { Client } from '../oauth/client.js'
import type { Given } from './grants.js'

/** What a client is told of leaving the implicit grant. */
type Leaving = Pick<Client, 'implicitDeprecatedAt' | 'implicitUntil'>

/** What a client need not say: a public client without a grant of the token endpoint. */
type Grants = Pick<Client, 'grantTypes' | 'tokenEndpointAuthMethod' | 'pkce' | 'jwks' | 'native'>

/** What a client is registered with. Who is to leave the implicit grant is told so from now on unless there is a time. */
export type NewClient = Omit<Client, 'disabledAt' | 'createdAt' | 'withoutPkceAt' | keyof Leaving | keyof Grants> & Partial<Leaving & Grants>

/** A client as it is to be, disabled or not. */
export type DesiredClient = NewClient & Pick<Client, 'disabledAt'>

/** What may be changed of a client without a word of the rest; of the implicit grant, see `setImplicit`. */
export type ClientChange = Partial<Pick<Client, 'name' | 'callbacks' | 'resources' | 'defaultScope' | 'accessTokenTtl' | 'native' | keyof Grants>>

/** The registered clients. */
export interface Clients {
  /** The client, disabled or not; `null` if there is none. A promise only if the database has to be asked. */
  find (id: string): Client | null | Promise<Client | null>
  /** Whether an app in a browser may call from this origin: that of a callback of a client that is not disabled. */
  hasOrigin (origin: string): Promise<boolean>
  /** All of them, by id. */
  list (): Promise<Client[]>
  /** Adds a client; `false` if the id is taken, and then nothing is changed. */
  add (client: NewClient): Promise<boolean>
  /** Adds the client or makes the one of that id like it. */
  put (client: NewClient): Promise<void>
  /** Changes what is named of it, and nothing else, so that changes of others are not lost; `false` if there is none. */
  change (id: string, change: ClientChange): Promise<boolean>
  /**
   * Sets whether it may use the implicit grant; `false` if there is none. Who was told to leave is told so since then.
   * @param until with `until`, when it ends
   * @param withCode gives it the authorization code grant too
   */
  setImplicit (id: string, policy: Client['implicit'], until: Date | null, now: Date, withCode?: boolean): Promise<boolean>
  /** Disables it, which ends all that it holds for good, or enables it; `false` if there is none. */
  setDisabled (id: string, disabledAt: Date | null): Promise<boolean>
  /** Puts clients and removes others, all in one transaction. What those hold that are disabled or removed ends. */
  apply (clients: readonly DesiredClient[], removed: readonly string[]): Promise<void>
  /** Removes it with its callbacks, and ends all that it holds; `false` if there is none. */
  remove (id: string): Promise<boolean>
  /** Ends all that it holds: codes, refresh tokens and access tokens. It stays enabled, and consent remembered; `false` if there is none. */
  revoke (id: string): Promise<boolean>
  /** Since when access tokens for the client itself may be issued (`iat`), by the database; `null` if it is disabled or removed. */
  issuable (id: string): Promise<Given | null>
}

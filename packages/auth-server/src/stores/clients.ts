import type { Client } from '../oauth/client.js'

/** What a client is registered with. */
export type NewClient = Omit<Client, 'disabledAt' | 'createdAt'>

/** The registered clients. */
export interface Clients {
  /** The client, disabled or not; `null` if there is none. A promise only if the database has to be asked. */
  find (id: string): Client | null | Promise<Client | null>
  /** All of them, by id. */
  list (): Promise<Client[]>
  /** Adds a client; `false` if the id is taken, and then nothing is changed. */
  add (client: NewClient): Promise<boolean>
  /** Adds the client or makes the one of that id like it. */
  put (client: NewClient): Promise<void>
  /** Disables or enables it; `false` if there is none. */
  setDisabled (id: string, disabledAt: Date | null): Promise<boolean>
  /** Removes it with its callbacks; `false` if there is none. */
  remove (id: string): Promise<boolean>
}

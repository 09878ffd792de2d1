import type { Database } from './database.js'
import { isNew } from './unique.js'

/** A secret of a client, without the secret. */
export interface ClientSecret {
  readonly clientId: string
  /** 1 or 2: a client has two at most, so that one can be changed while the other is used. */
  readonly slot: number
  /** SHA-256 of the secret, base64url: it is random and long, so that nothing slower is needed. */
  readonly hash: string
  readonly createdAt: Date
}

/** The secrets of clients. */
export interface ClientSecrets {
  /** Adds one in a slot that is free; gives the slot, or `null` if none is. */
  add (secret: Omit<ClientSecret, 'slot'>): Promise<number | null>
  /** Those of a client, by slot. */
  list (clientId: string): Promise<ClientSecret[]>
  /** Whether the client has the secret. */
  has (clientId: string, hash: string): Promise<boolean>
  /** Removes one; `false` if there is none. */
  remove (clientId: string, slot: number): Promise<boolean>
}

const SLOTS = [1, 2]

/** {@link ClientSecrets} in a database. */
export function openClientSecrets (database: Database): ClientSecrets {
  return {
    async add (secret) {
      // The primary key decides: counting first would let three in.
      for (const slot of SLOTS) if (await isNew(database.clientSecret.create({ data: { ...secret, slot } }))) return slot
      return null
    },
    list: clientId => database.clientSecret.findMany({ where: { clientId }, orderBy: { slot: 'asc' } }),
    async has (clientId, hash) {
      return await database.clientSecret.findFirst({ where: { clientId, hash }, select: { slot: true } }) !== null
    },
    async remove (clientId, slot) {
      return (await database.clientSecret.deleteMany({ where: { clientId, slot } })).count === 1
    }
  }
}

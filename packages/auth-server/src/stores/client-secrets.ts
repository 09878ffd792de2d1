import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import type { Database } from './database.js'
import { isNew } from './unique.js'

/** A secret of a client, without the secret. */
export interface ClientSecret {
  readonly clientId: string
  /** 1 or 2: with two secrets, one can be rotated while the other is in use. */
  readonly slot: number
  /** SHA-256 of the secret, base64url. The secret has 256 random bits, so it needs no slow hash. */
  readonly hash: string
  readonly createdAt: Date
}

/** The secrets of clients. */
export interface ClientSecrets {
  /** Adds a secret in a free slot. Atomic. Returns the slot; `null` if both are taken. */
  add (secret: Omit<ClientSecret, 'slot'>): Promise<number | null>
  /** The secrets of a client, by slot. */
  list (clientId: string): Promise<ClientSecret[]>
  /** Whether the client has the secret. */
  has (clientId: string, hash: string): Promise<boolean>
  /** Removes a secret. Returns `false` if the slot is empty. */
  remove (clientId: string, slot: number): Promise<boolean>
}

const SLOTS = [1, 2]

/** {@link ClientSecrets} in a database. Concurrent checks share a query; a secret that was removed fails at once. */
export function openClientSecrets (database: Database, connection: Connection): ClientSecrets {
  const checks = checkSecrets(connection)
  return {
    async add (secret) {
      // The primary key decides: counting first is a race that could store three.
      const { clientSecret } = await database()
      for (const slot of SLOTS) if (await isNew(clientSecret.create({ data: { ...secret, slot } }))) return slot
      return null
    },
    list: async clientId => await (await database()).clientSecret.findMany({ where: { clientId }, orderBy: { slot: 'asc' } }),
    has: (clientId, hash) => checks.ask({ clientId, hash }),
    async remove (clientId, slot) {
      const { clientSecret } = await database()
      return (await clientSecret.deleteMany({ where: { clientId, slot } })).count === 1
    }
  }
}

/** Checks secrets in batches. */
function checkSecrets (connection: Connection): Batch<Pick<ClientSecret, 'clientId' | 'hash'>, boolean> {
  const statement = new ValuesStatement(connection, list => `
    SELECT client_id, hash FROM (${list}) AS asked JOIN client_secret ON client_id = column1 AND hash = column2`, ['string', 'string'], {
    clientId: 'string', hash: 'string'
  })
  const keyOf = ({ clientId, hash }: Pick<ClientSecret, 'clientId' | 'hash'>) => `${hash} ${clientId}`
  return new Batch(async asked => {
    const found = new Set((await statement.run(asked.map(({ clientId, hash }) => [clientId, hash]))).map(keyOf))
    return asked.map(it => found.has(keyOf(it)))
  }, connection)
}

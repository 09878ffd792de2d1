import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { query, sql } from '@frontdesk/database/sql'
import { ValuesStatement } from '@frontdesk/database/values-statement'

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
export function openClientSecrets (connection: Connection): ClientSecrets {
  const checks = checkSecrets(connection)
  return {
    async add ({ clientId, hash, createdAt }) {
      // The primary key decides: counting first is a race that could store three.
      for (const slot of SLOTS) {
        const added = await query(connection, { slot: 'int' }, sql`
          INSERT INTO client_secret (client_id, slot, hash, created_at) VALUES (${clientId}, ${slot}, ${hash}, ${createdAt})
          ON CONFLICT DO NOTHING RETURNING slot`)
        if (added.length === 1) return slot
      }
      return null
    },
    list: clientId => query(connection, { clientId: 'string', slot: 'int', hash: 'string', createdAt: 'datetime' }, sql`
      SELECT client_id, slot, hash, created_at FROM client_secret WHERE client_id = ${clientId} ORDER BY slot`),
    has: (clientId, hash) => checks.ask({ clientId, hash }),
    async remove (clientId, slot) {
      const removed = await query(connection, { slot: 'int' }, sql`
        DELETE FROM client_secret WHERE client_id = ${clientId} AND slot = ${slot} RETURNING slot`)
      return removed.length === 1
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

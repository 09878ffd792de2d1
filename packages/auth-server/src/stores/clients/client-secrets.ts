import type { Connection } from '@frontdesk/database/connection'
import { createLookup } from '@frontdesk/database/lookup'
import type { Row } from '@frontdesk/database/rows'
import { executeStep, existsStep, newRow, query, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columns, pick } from '@frontdesk/database/table'
import { clientSecret } from '../../generated/tables.js'

/** A client secret. Only its hash is stored. */
export type ClientSecret = Row<typeof clientSecret.columns>

const SLOTS = [1, 2]

export function openClientSecrets (connection: Connection) {
  const entry = pick(clientSecret, 'clientId', 'hash')
  const find = createLookup(connection, {
    entry,
    sql: entries => `
      SELECT ${columns(entry, 'entry')}
      FROM ${entries} JOIN client_secret ON client_secret.client_id = entry.client_id AND client_secret.hash = entry.hash`,
    row: entry
  }, 'clientId', 'hash')
  return {
    /** Atomic: adds a secret in a free slot. Returns the slot; `null` if both are taken. */
    add: ({ clientId, hash, createdAt }: Omit<ClientSecret, 'slot'>) => connection.transact(function * (): Steps<number | null> {
      // The primary key decides: after a count, concurrent calls could store three.
      for (const slot of SLOTS) {
        const added = yield * executeStep(connection, sql`
          INSERT INTO client_secret (client_id, slot, hash, created_at) VALUES (${clientId}, ${slot}, ${hash}, ${createdAt})
          ON CONFLICT DO NOTHING`)
        if (added === 1) return slot
      }
      return null
    }),
    /** The secrets of a client, by slot. */
    list: (clientId: string) => query(connection, clientSecret.columns, sql`
      SELECT ${raw(columnNames(clientSecret.columns))} FROM client_secret WHERE client_id = ${clientId} ORDER BY slot`),
    /** The ids of the clients that have a secret. */
    owners: async () => new Set(
      (await query(connection, { clientId: 'string' }, sql`SELECT DISTINCT client_id FROM client_secret`)).map(({ clientId }) => clientId)
    ),
    /** Whether the client has this secret. A removed one fails at once. Concurrent calls share a statement. */
    has: async (clientId: string, hash: string) => await find({ clientId, hash }) !== null,
    /** Removes a secret. Returns `false` if the slot is empty. */
    remove: (clientId: string, slot: number) => connection.transact(function * () {
      return (yield * executeStep(connection, sql`DELETE FROM client_secret WHERE client_id = ${clientId} AND slot = ${slot}`)) === 1
    })
  }
}

/** A client's first secret; `null`: it needs none. */
export type FirstSecret = Pick<ClientSecret, 'hash' | 'createdAt'> | null

/** Adds a first secret unless the client has one, or removes all, so that none becomes valid again later. A step of a transaction. */
export function * fitSecrets (connection: Connection, clientId: string, first: FirstSecret): Steps<void> {
  const which = sql`client_secret WHERE client_id = ${clientId}`
  if (first === null) {
    yield * executeStep(connection, sql`DELETE FROM ${which}`)
  } else if (!(yield * existsStep(connection, sql`SELECT 1 FROM ${which}`))) {
    const row = newRow(clientSecret.columns, { ...first, clientId, slot: 1 })
    yield * executeStep(connection, sql`INSERT INTO client_secret ${row} ON CONFLICT DO NOTHING`)
  }
}

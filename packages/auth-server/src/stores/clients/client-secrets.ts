import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import { executeStep, newRow, query, queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columns, pick } from '@frontdesk/database/table'
import { clientSecret } from '../../generated/tables.js'

/** A secret of a client, without the secret. */
export type ClientSecret = Row<typeof clientSecret.columns>

/** The secrets of clients. */
export interface ClientSecrets {
  /** Adds a secret in a free slot. Atomic. Returns the slot; `null` if both are taken. */
  add (secret: Omit<ClientSecret, 'slot'>): Promise<number | null>
  /** The secrets of a client, by slot. */
  list (clientId: string): Promise<ClientSecret[]>
  /** The ids of the clients that have a secret. */
  owners (): Promise<Set<string>>
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
    add: ({ clientId, hash, createdAt }) => connection.transact(function * () {
      // The primary key decides: counting first is a race that could store three.
      for (const slot of SLOTS) {
        const added = yield * queryStep(connection, { slot: 'int' }, sql`
          INSERT INTO client_secret (client_id, slot, hash, created_at) VALUES (${clientId}, ${slot}, ${hash}, ${createdAt})
          ON CONFLICT DO NOTHING RETURNING slot`)
        if (added.length === 1) return slot
      }
      return null
    }),
    list: clientId => query(connection, clientSecret.columns, sql`
      SELECT ${raw(columnNames(clientSecret.columns))} FROM client_secret WHERE client_id = ${clientId} ORDER BY slot`),
    owners: async () => new Set(
      (await query(connection, { clientId: 'string' }, sql`SELECT DISTINCT client_id FROM client_secret`)).map(({ clientId }) => clientId)
    ),
    has: (clientId, hash) => checks.run({ clientId, hash }),
    remove: (clientId, slot) => connection.transact(function * () {
      const removed = yield * queryStep(connection, { slot: 'int' }, sql`
        DELETE FROM client_secret WHERE client_id = ${clientId} AND slot = ${slot} RETURNING slot`)
      return removed.length === 1
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
  } else if ((yield * queryStep(connection, { slot: 'int' }, sql`SELECT slot FROM ${which}`)).length === 0) {
    const row = newRow(clientSecret.columns, { ...first, clientId, slot: 1 })
    yield * executeStep(connection, sql`INSERT INTO client_secret ${row} ON CONFLICT DO NOTHING`)
  }
}

/** Checks secrets in batches. */
function checkSecrets (connection: Connection): Batcher<Pick<ClientSecret, 'clientId' | 'hash'>, boolean> {
  const entry = pick(clientSecret, 'clientId', 'hash')
  const statement = listStatement(connection, {
    entry,
    sql: entries => `
      SELECT ${columns(entry, 'entry')}
      FROM ${entries} JOIN client_secret ON client_secret.client_id = entry.client_id AND client_secret.hash = entry.hash`,
    row: entry
  })
  const keyOf = ({ clientId, hash }: Pick<ClientSecret, 'clientId' | 'hash'>) => `${hash} ${clientId}`
  return new Batcher(async asked => {
    const found = new Set((await statement.run(asked)).map(keyOf))
    return asked.map(it => found.has(keyOf(it)))
  }, connection)
}

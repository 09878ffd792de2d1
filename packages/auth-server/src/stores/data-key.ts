import type { Connection } from '@frontdesk/database/connection'
import { execute, newRow, query, raw, sql } from '@frontdesk/database/sql'
import type { Table } from '@frontdesk/database/table'
import type { auditKey } from '../generated/tables.js'

/** A random key in a table of its own, encrypted under SECRET_KEY. */
export interface StoredDataKey {
  /** The encrypted key; `null` if there is none. */
  read (): Promise<string | null>
  /** Stores the first key. Does nothing if there is one. */
  add (jwe: string): Promise<void>
  /** Compare-and-swap: does nothing if another process has replaced the key. */
  replace (from: string, to: string): Promise<void>
}

/** @param table with one row */
export function openStoredDataKey (connection: Connection, { name, columns }: Table<typeof auditKey.columns>): StoredDataKey {
  const table = raw(name)
  return {
    async read () {
      return (await query(connection, { jwe: 'string' }, sql`SELECT jwe FROM ${table}`))[0]?.jwe ?? null
    },
    async add (jwe) {
      await execute(connection, sql`INSERT INTO ${table} ${newRow(columns, { id: 1, jwe })} ON CONFLICT DO NOTHING`)
    },
    async replace (from, to) {
      await execute(connection, sql`UPDATE ${table} SET jwe = ${to} WHERE jwe = ${from}`)
    }
  }
}

import { Batcher } from '@frontdesk/database/batch'
import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { join, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { createAccessEnd } from '../access/end-access.js'
import type { Issuable } from '../grants/grants.js'

/** Revokes the tokens of clients. */
export interface ClientAccess {
  /** Disables the client and revokes all its codes and tokens, or enables it. Returns `false` for an unknown id. */
  setDisabled (id: string, disabledAt: Date | null): Promise<boolean>
  /** Removes the client with its callbacks, and revokes all its codes and tokens. Returns `false` for an unknown id. */
  remove (id: string): Promise<boolean>
  /**
   * Revokes all codes, refresh tokens and access tokens. The client stays enabled, consent stays remembered. Returns
   * `false` for an unknown id.
   */
  revoke (id: string): Promise<boolean>
  /** Earliest `iat` of access tokens for the client itself; `null` if it is disabled or removed. */
  issuable (id: string): Promise<Issuable | null>
}

/** {@link ClientAccess} in a database. Each change revokes in its own transaction; concurrent questions share a query. */
export function openClientAccess (connection: Connection): ClientAccess {
  const access = createAccessEnd(connection)
  const now = raw(databaseTime(connection))
  const removeTokens = createTokenRemoval(connection)
  const issuable = readIssuable(connection)

  /** Revokes the tokens of the client if a statement changes it. */
  function * endAfter (change: Sql, clientId: string, ends = true): Steps<boolean> {
    const changed = (yield * queryStep(connection, { id: 'string' }, sql`${change} WHERE id = ${clientId} RETURNING id`)).length > 0
    if (changed && ends) yield * access.steps([{ clientId }])
    return changed
  }

  return {
    setDisabled: (id, disabledAt) => connection.transact(() =>
      endAfter(sql`UPDATE client SET disabled_at = ${disabledAt}, updated_at = ${now}`, id, disabledAt !== null)),
    remove: id => connection.transact(function * () {
      yield * removeTokens([id])
      return yield * endAfter(sql`DELETE FROM client`, id)
    }),
    revoke: id => connection.transact(() => endAfter(sql`UPDATE client SET updated_at = ${now}`, id)),
    issuable: id => issuable.run(id)
  }
}

/**
 * Makes the steps that remove the codes and refresh tokens of clients. They come before changes of clients, in the lock order of
 * an exchange: the other order would deadlock.
 */
export function createTokenRemoval (connection: Connection): (clientIds: readonly string[]) => Steps<void> {
  const tables = [['authorization_code', 'hash'], ['device_code', 'hash'], ['refresh_token', 'family_hash']] as const
  return function * (clientIds) {
    if (clientIds.length === 0) return
    for (const [table, key] of tables) {
      yield * queryStep(connection, {}, sql`
        DELETE FROM ${raw(table)} WHERE ${raw(key)} IN (
          SELECT ${raw(key)} FROM ${raw(table)} WHERE client_id IN (${join([...clientIds])}) ${raw(lockInOrder(connection, key))})`)
    }
  }
}

/** Reads in batches when clients may get tokens. */
function readIssuable (connection: Connection): Batcher<string, Issuable | null> {
  const statement = listStatement(connection, {
    entry: { id: 'string' },
    sql: entries => `
      SELECT id, not_before FROM client LEFT JOIN access_epoch ON user_id = '' AND client_id = id
      WHERE id IN (SELECT entry.id FROM ${entries}) AND disabled_at IS NULL`,
    row: { id: 'string', notBefore: 'datetime?' }
  })
  return new Batcher(async ids => {
    const found = new Map((await statement.run([...new Set(ids)].map(id => ({ id })))).map(row => [row.id, row]))
    return ids.map(id => found.get(id) ?? null)
  }, connection)
}

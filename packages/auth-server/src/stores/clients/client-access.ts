import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { createLookup } from '@frontdesk/database/lookup'
import { executeStep, join, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { createAccessEnd } from '../access/end-access.js'
import type { Issuable } from '../grants/grants.js'

export interface ClientAccess {
  /** Disables the client and revokes all its codes and tokens, or enables it. Returns `false` for an unknown id. */
  setDisabled (id: string, disabledAt: Date | null): Promise<boolean>
  /** Removes the client, and revokes all its codes and tokens. Returns `false` for an unknown id. */
  remove (id: string): Promise<boolean>
  /** Revokes all codes and tokens. The client stays enabled, and consent remembered. Returns `false` for an unknown id. */
  revoke (id: string): Promise<boolean>
  /** Whether the client can get access tokens of its own; `null` if it is disabled or removed. Concurrent calls share a statement. */
  issuable (id: string): Promise<Issuable | null>
}

export function openClientAccess (connection: Connection): ClientAccess {
  const access = createAccessEnd(connection)
  const now = raw(databaseTime(connection))
  const removeTokens = createTokenRemoval(connection)
  const issuable = createLookup(connection, {
    entry: { id: 'string' },
    sql: entries => `
      SELECT id, not_before FROM client LEFT JOIN access_epoch ON user_id = '' AND client_id = id
      WHERE id IN (SELECT entry.id FROM ${entries}) AND disabled_at IS NULL`,
    row: { id: 'string', notBefore: 'datetime?' }
  }, 'id')

  /** Changes a client, and revokes its tokens. Returns `false` for an unknown id. */
  function * endAfter (change: Sql, clientId: string, ends = true): Steps<boolean> {
    const changed = (yield * executeStep(connection, sql`${change} WHERE id = ${clientId}`)) === 1
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
    issuable: id => issuable({ id })
  }
}

/**
 * Makes the steps that remove the codes and refresh tokens of clients. To be run before changes of clients, in the lock order of
 * an exchange: the opposite order would deadlock.
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

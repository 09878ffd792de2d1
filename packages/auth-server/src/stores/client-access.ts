import { Batch } from '@frontdesk/database/batch'
import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { lockInOrder } from '@frontdesk/database/lock-order'
import type { Steps } from '@frontdesk/database/steps'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import type { Issuable } from './grants.js'
import { createAccessEnd } from './end-access.js'

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
  const states = new ValuesStatement(connection, list => `
    UPDATE client SET disabled_at = column2, updated_at = ${databaseTime(connection)} FROM (${list}) AS change WHERE id = column1 RETURNING id`, ['string', 'datetime'])
  const held = removeHeld(connection)
  const removals = new ValuesStatement(connection, list => `DELETE FROM client WHERE id IN (${list}) RETURNING id`, ['string'])
  const marks = new ValuesStatement(connection, list => `
    UPDATE client SET updated_at = ${databaseTime(connection)} WHERE id IN (${list}) RETURNING id`, ['string'])
  const issuable = readIssuable(connection)

  /** Revokes the tokens of the client if a statement changes it. */
  function * endAfter (change: ReturnType<ValuesStatement['query']>, clientId: string, ends = true): Steps<boolean> {
    const changed = (yield change).length > 0
    if (changed && ends) yield * access.steps([{ clientId }])
    return changed
  }

  return {
    setDisabled: (id, disabledAt) => connection.transact(() => endAfter(states.query([[id, disabledAt]]), id, disabledAt !== null)),
    remove: id => connection.transact(function * () {
      for (const rows of held) yield rows.query([[id]])
      return yield * endAfter(removals.query([[id]]), id)
    }),
    revoke: id => connection.transact(() => endAfter(marks.query([[id]]), id)),
    issuable: id => issuable.ask(id)
  }
}

/**
 * The statements that remove the codes and refresh tokens of clients. They come before changes of clients, in the lock order of
 * an exchange: the other order would deadlock.
 */
export function removeHeld (connection: Connection): ValuesStatement[] {
  const held = [['authorization_code', 'hash'], ['device_code', 'hash'], ['refresh_token', 'family_hash']] as const
  return held.map(([table, key]) => new ValuesStatement(connection, list => `
    DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE client_id IN (${list}) ${lockInOrder(connection, key)})`, ['string']))
}

/** Reads in batches when clients may get tokens. */
function readIssuable (connection: Connection): Batch<string, Issuable | null> {
  const statement = new ValuesStatement(connection, list => `
    SELECT id, not_before FROM client LEFT JOIN access_epoch ON user_id = '' AND client_id = id WHERE id IN (${list}) AND disabled_at IS NULL`,
  ['string'], { id: 'string', notBefore: 'datetime?' })
  return new Batch(async ids => {
    const found = new Map((await statement.run([...new Set(ids)].map(id => [id]))).map(row => [row.id, row]))
    return ids.map(id => found.get(id) ?? null)
  }, connection)
}

import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { CODE_TTL } from '../lifetimes.js'

/** How many silent grants of a person and client are kept: apps that renew silently all day add one each time. */
export const MAX_SILENT_GRANTS = 100

/** One grant in so many looks whether there are more: a removal is a commit of its own. */
const LOOK_EVERY = 32

/** Most grants that a statement removes: as many as may have been added since the last look of the calls that share it. */
const BATCH = 64 * LOOK_EVERY

/** A silent grant. */
interface Silent { readonly id: string, readonly userId: string, readonly clientId: string, readonly createdAt: Date }

/**
 * Removes the least recently used silent grants of a person and client beyond {@link MAX_SILENT_GRANTS} (LRU), when a new
 * grant is one of those that look: by the end of its id, two random hexadecimal digits. Grants whose code may not be exchanged
 * yet stay, and do not count. A grant without its row is not live;
 * its access tokens stay valid until they expire. Concurrent calls share the statements.
 */
export function boundSilentGrants (connection: Connection): (grant: Silent) => Promise<void> {
  const surplus = new ValuesStatement(connection, list => `
    SELECT id FROM (
      SELECT id, ROW_NUMBER() OVER (PARTITION BY user_id, client_id
        ORDER BY COALESCE((SELECT MAX(refresh_token.created_at) FROM refresh_token WHERE grant_id = access_grant.id), created_at) DESC, id DESC) AS place
      FROM (SELECT DISTINCT * FROM (${list}) AS list) AS asked JOIN access_grant ON user_id = column1 AND client_id = column2
      WHERE is_silent AND created_at < column3
    ) AS ranked WHERE place > ${MAX_SILENT_GRANTS} LIMIT ${BATCH}`, ['string', 'string', 'datetime'], { id: 'string' })
  const removals = [['refresh_token', 'family_hash', 'grant_id'], ['access_grant', 'id', 'id']].map(([table, key, column]) =>
    new ValuesStatement(connection, list => `
      DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${column} IN (${list}) ${lockInOrder(connection, `${key}`)})`, ['string']))
  const calls = new Batch(async (asked: Silent[], mode) => {
    const before = new Date(Math.min(...asked.map(({ createdAt }) => createdAt.getTime())) - CODE_TTL * 1_000)
    const ids = (await surplus.run(asked.map(({ userId, clientId }) => [userId, clientId, before]))).map(({ id }) => [id])
    if (ids.length > 0) {
      await connection.transact(function * () {
        for (const removal of removals) yield removal.query(ids)
      }, mode)
    }
    return asked.map(() => undefined)
  }, connection)
  return async grant => {
    if (Number.parseInt(grant.id.slice(-2), 16) % LOOK_EVERY === 0) await calls.ask(grant)
  }
}

import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { ValuesStatement } from '@frontdesk/database/values-statement'

/** Most silent grants of a person and client: apps that renew silently all day add one each time. */
export const MAX_SILENT_GRANTS = 100

/** Most grants that a statement removes: as many as calls that share it. */
const BATCH = 64

/**
 * Removes the least recently used silent grants of a person and client beyond {@link MAX_SILENT_GRANTS} (LRU). A grant
 * without its row is not live; its access tokens stay valid until they expire. Concurrent calls share the statements.
 */
export function boundSilentGrants (connection: Connection): (of: { userId: string, clientId: string }) => Promise<void> {
  const surplus = new ValuesStatement(connection, list => `
    SELECT id FROM (
      SELECT id, ROW_NUMBER() OVER (PARTITION BY user_id, client_id
        ORDER BY COALESCE((SELECT MAX(refresh_token.created_at) FROM refresh_token WHERE grant_id = access_grant.id), created_at) DESC, id DESC) AS place
      FROM access_grant WHERE (user_id, client_id) IN (${list}) AND is_silent
    ) AS ranked WHERE place > ${MAX_SILENT_GRANTS} LIMIT ${BATCH}`, ['string', 'string'], { id: 'string' })
  const removals = [['refresh_token', 'hash', 'grant_id'], ['access_grant', 'id', 'id']].map(([table, key, column]) =>
    new ValuesStatement(connection, list => `
      DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${column} IN (${list}) ${lockInOrder(connection, `${key}`)})`, ['string']))
  const calls = new Batch(async (asked: Array<{ userId: string, clientId: string }>, mode) => {
    const ids = (await surplus.run(asked.map(({ userId, clientId }) => [userId, clientId]))).map(({ id }) => [id])
    if (ids.length > 0) {
      await connection.transact(function * () {
        for (const removal of removals) yield removal.query(ids)
      }, mode)
    }
    return asked.map(() => undefined)
  }, connection)
  return of => calls.ask(of)
}

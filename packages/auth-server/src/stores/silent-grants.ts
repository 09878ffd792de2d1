import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'

/** Most silent grants of a person and client: apps that renew silently all day add one each time. */
export const MAX_SILENT_GRANTS = 100

/** Most grants that one call removes. */
const BATCH = 64

/**
 * Removes the least recently used silent grants of a person and client beyond {@link MAX_SILENT_GRANTS} (LRU). A grant
 * without its row is not live; its access tokens stay valid until they expire.
 */
export function boundSilentGrants (connection: Connection): (of: { userId: string, clientId: string }) => Promise<void> {
  const surplus = new ValuesStatement(connection, list => `
    SELECT access_grant.id FROM access_grant JOIN (${list}) AS asked ON user_id = column1 AND client_id = column2 WHERE is_silent
    ORDER BY COALESCE((SELECT MAX(refresh_token.created_at) FROM refresh_token WHERE grant_id = access_grant.id), access_grant.created_at) DESC, access_grant.id DESC
    LIMIT ${BATCH} OFFSET ${MAX_SILENT_GRANTS}`, ['string', 'string'], { id: 'string' })
  const removals = [['refresh_token', 'grant_id'], ['access_grant', 'id']].map(([table, column]) =>
    new ValuesStatement(connection, list => `DELETE FROM ${table} WHERE ${column} IN (${list})`, ['string']))
  return async ({ userId, clientId }) => {
    const ids = (await surplus.run([[userId, clientId]])).map(({ id }) => [id]).sort()
    if (ids.length === 0) return
    await connection.transact(function * () {
      for (const removal of removals) yield removal.query(ids)
    })
  }
}

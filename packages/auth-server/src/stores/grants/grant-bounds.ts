import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { CODE_TTL, FORM_TOKEN_TTL } from '../../lifetimes.js'
import { createClientSessionEnd } from '../access/client-session-end.js'

/** How many silent grants of a user and client are kept: a client that renews silently all day adds one each time. */
export const MAX_SILENT_GRANTS = 100

/** How many grants with a refresh token are kept for a user, over all clients: they last for months, and anyone can add clients. */
export const MAX_REFRESHABLE_GRANTS = 1_000

/** One grant in this many triggers the check: a removal is a commit of its own. */
const CHECK_EVERY = 32

/** Maximum grants that a statement removes: those that can have been added since the last check of the calls that share it. */
const MAX_REMOVED_PER_STATEMENT = 64 * CHECK_EVERY

interface LimitedGrant { readonly id: string, readonly userId: string, readonly clientId: string, readonly createdAt: Date }

/**
 * Makes the limit of grants, to be called for each new one. One call in {@link CHECK_EVERY}, chosen by the random end of the
 * grant's id, removes the least recently used grants (LRU) beyond {@link MAX_SILENT_GRANTS} of its user and client, and beyond
 * {@link MAX_REFRESHABLE_GRANTS} of its user. Silent grants whose code may still be exchanged stay, and do not count. Grants with
 * a refresh token whose consent page can still be used stay, but count. A removed grant is not live; its access tokens stay valid
 * until they expire, and a device's client session ends. Concurrent calls share the statements.
 */
export function createGrantLimit (connection: Connection): (grant: LimitedGrant) => Promise<void> {
  const surplus = surplusGrants(connection)
  const clientSessionEnd = createClientSessionEnd(connection)
  const removals = [['refresh_token', 'family_hash', 'grant_id'], ['access_grant', 'id', 'id']].map(([table, key, column]) =>
    listStatement(connection, {
      entry: { grantId: 'string' },
      sql: entries => `DELETE FROM ${table} WHERE ${key} IN (
        SELECT ${key} FROM ${table} WHERE ${column} IN (SELECT entry.grant_id FROM ${entries}) ${lockInOrder(connection, `${key}`)})`
    }))
  const calls = new Batcher(async (asked: LimitedGrant[], mode) => {
    const first = Math.min(...asked.map(({ createdAt }) => createdAt.getTime()))
    const [codesBefore, pagesBefore] = [new Date(first - CODE_TTL * 1_000), new Date(first - FORM_TOKEN_TTL * 1_000)]
    const grants = await surplus.run(asked.map(({ userId, clientId }) => ({ userId, clientId, codesBefore, pagesBefore })))
    if (grants.length > 0) {
      await connection.transact(function * () {
        for (const removal of removals) yield * removal.step(grants)
        yield * clientSessionEnd.bySid(...grants.map(({ grantId }) => grantId))
      }, mode)
    }
    return asked.map(() => undefined)
  }, connection)
  return async grant => {
    if (Number.parseInt(grant.id.slice(-2), 16) % CHECK_EVERY === 0) await calls.run(grant)
  }
}

/** The statement that finds the grants to remove. */
function surplusGrants (connection: Connection) {
  return listStatement(connection, {
    entry: { userId: 'string', clientId: 'string', codesBefore: 'datetime', pagesBefore: 'datetime' },
    sql: entries => `
    WITH asked AS (SELECT DISTINCT * FROM ${entries})
    SELECT id FROM (
      SELECT id, ROW_NUMBER() OVER (PARTITION BY access_grant.user_id, access_grant.client_id
        ORDER BY COALESCE((SELECT MAX(refresh_token.created_at) FROM refresh_token WHERE grant_id = access_grant.id), created_at) DESC, id DESC) AS place
      FROM asked JOIN access_grant ON access_grant.user_id = asked.user_id AND access_grant.client_id = asked.client_id
      WHERE is_silent AND created_at < codes_before
    ) AS silent WHERE place > ${MAX_SILENT_GRANTS}
    UNION
    SELECT grant_id FROM (
      SELECT grant_id, pages_before, ROW_NUMBER() OVER (PARTITION BY refresh_token.user_id ORDER BY created_at DESC, grant_id DESC) AS place
      FROM (SELECT DISTINCT user_id, pages_before FROM asked) AS person JOIN refresh_token ON refresh_token.user_id = person.user_id
    ) AS refreshable
    WHERE place > ${MAX_REFRESHABLE_GRANTS} AND (SELECT created_at FROM access_grant WHERE access_grant.id = grant_id) < pages_before
    LIMIT ${MAX_REMOVED_PER_STATEMENT}`,
    row: { grantId: 'string' }
  })
}

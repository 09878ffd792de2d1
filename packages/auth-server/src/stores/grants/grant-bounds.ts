import { Batcher, type Mode } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { correlatedExists } from '@frontdesk/database/correlated-exists'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { query, sql, type Sql } from '@frontdesk/database/sql'
import { pick } from '@frontdesk/database/table'
import { isUnavailable } from '@frontdesk/database/unavailable'
import { refreshToken } from '../../generated/tables.js'
import { CODE_TTL, FORM_TOKEN_TTL } from '../../lifetimes.js'
import { createClientSessionEnd } from '../access/client-session-end.js'

/** How many silent grants of a user and client are kept: a client that renews silently all day adds one each time. */
export const MAX_SILENT_GRANTS = 100

/** How many grants with a refresh token are kept for a user, over all clients: they last for months, and anyone can add clients. */
export const MAX_REFRESHABLE_GRANTS = 1_000

/**
 * One grant in this many triggers the check. A removal is a separate commit, and on PostgreSQL each check reads the index entries of
 * all grants removed since the last vacuum.
 */
const CHECK_EVERY = 256

/** Maximum grants of each kind that a check removes. */
const MAX_REMOVED = 8 * CHECK_EVERY

interface LimitedGrant { readonly id: string, readonly userId: string, readonly clientId: string, readonly createdAt: Date }

/**
 * Makes the limit of grants, to be called for each new one. One call in {@link CHECK_EVERY}, chosen by the random end of the
 * grant's id, removes the least recently used grants (LRU) beyond {@link MAX_SILENT_GRANTS} of its user and client, and beyond
 * {@link MAX_REFRESHABLE_GRANTS} of its user. Silent grants whose code may still be exchanged stay, and do not count. Refresh
 * tokens that were used while the consent page of their grant could be open stay, but count. A grant that is used while a check
 * runs stays, too. A removed grant is not live; its access tokens stay valid until they expire, and a device's client session ends.
 * Concurrent calls for a user and client share a check. While rows are locked or the database is unavailable, nothing is removed:
 * a later check does it.
 */
export function createGrantLimit (connection: Connection): (grant: LimitedGrant) => Promise<void> {
  const clientSessionEnd = createClientSessionEnd(connection)
  const unused = listStatement(connection, {
    entry: SURPLUS,
    sql: entries => `DELETE FROM refresh_token WHERE family_hash IN (
      SELECT family_hash FROM ${entries}
      JOIN refresh_token ON refresh_token.grant_id = entry.grant_id AND refresh_token.created_at <= entry.used_at
      ${lockInOrder(connection, 'family_hash', 'FOR UPDATE OF refresh_token')})`
  })
  const withoutTokens = listStatement(connection, {
    entry: pick(refreshToken, 'grantId'),
    sql: entries => `DELETE FROM access_grant WHERE id IN (
      SELECT id FROM access_grant WHERE id IN (SELECT entry.grant_id FROM ${entries})
        AND NOT ${correlatedExists('refresh_token WHERE refresh_token.grant_id = access_grant.id')}
      ${lockInOrder(connection, 'id')}) RETURNING id AS sid`,
    row: { sid: 'string' }
  })
  const check = async (grant: LimitedGrant, mode: Mode) => {
    const grants = await query(connection, SURPLUS, surplusGrants(grant))
    if (grants.length === 0) return
    await connection.transact(function * () {
      yield * unused.step(grants)
      const removed = yield * withoutTokens.step(grants)
      yield * clientSessionEnd.bySid(removed)
    }, { ...mode, isShared: true })
  }
  const checks = new Batcher(async (asked: LimitedGrant[], mode) => {
    const pairs = new Map(asked.map(grant => [`${grant.userId} ${grant.clientId}`, grant]))
    for (const grant of pairs.values()) await check(grant, mode)
    return asked.map(() => undefined)
  }, connection)
  return async grant => {
    if (Number.parseInt(grant.id.slice(-2), 16) % CHECK_EVERY !== 0) return
    await checks.run(grant).catch(error => { if (!isUnavailable(error)) throw error })
  }
}

/** A grant to remove, and its last use before. */
const SURPLUS = { grantId: 'string', usedAt: 'datetime' } as const

/** Finds the grants to remove. Reads a bounded number of rows, however many a user has. */
function surplusGrants ({ userId, clientId, createdAt }: LimitedGrant): Sql {
  const before = (seconds: number) => new Date(createdAt.getTime() - seconds * 1_000)
  const [codesBefore, pagesBefore] = [before(CODE_TTL), before(FORM_TOKEN_TTL)]
  const refreshTokens = sql`refresh_token WHERE user_id = ${userId} AND grant_id NOT IN (SELECT id FROM silent)`
  return sql`
    WITH silent AS (
      SELECT id, COALESCE((SELECT MAX(created_at) FROM refresh_token WHERE grant_id = oldest.id), created_at) AS used_at FROM (
        SELECT id, created_at FROM access_grant
        WHERE user_id = ${userId} AND client_id = ${clientId} AND is_silent AND created_at < ${codesBefore}
        ORDER BY created_at LIMIT ${MAX_SILENT_GRANTS + MAX_REMOVED}
      ) AS oldest
      ORDER BY used_at DESC, id DESC
      LIMIT ${MAX_REMOVED} OFFSET ${MAX_SILENT_GRANTS}
    )
    SELECT id, used_at FROM silent
    UNION ALL
    SELECT grant_id, created_at FROM (
      SELECT grant_id, created_at FROM ${refreshTokens} AND created_at < ${pagesBefore}
      ORDER BY created_at DESC, grant_id DESC LIMIT ${MAX_REMOVED} OFFSET (
        SELECT ${MAX_REFRESHABLE_GRANTS} - COUNT(*) FROM (
          SELECT 1 FROM ${refreshTokens} AND created_at >= ${pagesBefore} LIMIT ${MAX_REFRESHABLE_GRANTS}
        ) AS recent)
    ) AS refreshable`
}

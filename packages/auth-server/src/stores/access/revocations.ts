import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockRows } from '@frontdesk/database/lock-order'
import type { Row } from '@frontdesk/database/rows'
import { join, query, raw, sql } from '@frontdesk/database/sql'
import { columnNames, columns, pick } from '@frontdesk/database/table'
import type { AccessToken } from '@frontdesk/schemas/access-token'
import { revocationGroups } from '@frontdesk/schemas/revocations'
import { revocation } from '../../generated/tables.js'
import { after, REVOCATION_MARGIN } from '../../lifetimes.js'
import { secondsAfter } from './database-time.js'
import { createRevocationLimit, type EntryOwner } from './revocation-limits.js'

/** A grant or an access token to revoke. */
export interface Revocation {
  /** Id of a grant, which revokes all its tokens, or the `jti` of one access token. */
  readonly id: string
  readonly revokedAt: Date
  /** Expiry of the access token. Default: that of the grant's last one. The stored time adds a margin. */
  readonly endsAt?: Date
  /** User and client of an access token; those of a grant are stored with it. */
  readonly userId?: string | null
  readonly clientId?: string
}

const FEED_ENTRY = pick(revocation, 'id', 'revokedAt', 'endsAt', 'notBefore')

/** An entry of the revocation feed. With `notBefore`, `id` is a group's digest: the group's tokens with an earlier `iat` are revoked. */
export type FeedEntry = Row<typeof FEED_ENTRY>

type Groups = ReturnType<typeof revocationGroups>

/** Revocations, and their feed. */
export interface Revocations {
  /**
   * Atomic and idempotent: revokes a grant with its codes and refresh tokens, or one access token. A second call keeps the first
   * time. Adds to the feed only while an access token can be valid; {@link createRevocationLimit} limits the entries of each user
   * and client.
   */
  add (revocation: Revocation): Promise<void>
  /** A page of the feed: up to `limit` entries after this one, by time and id. */
  after (place: Pick<FeedEntry, 'revokedAt' | 'id'>, limit: number): Promise<FeedEntry[]>
  /** Whether any of these ids is revoked, apart from groups. */
  has (ids: readonly string[]): Promise<boolean>
  /** Whether an access token is revoked: itself, its grant or one of its groups. @param groups those of the token, if known */
  covers (token: AccessToken, groups?: Groups): Promise<boolean>
}

/** Opens the store. Concurrent revocations share a transaction, and concurrent lookups a query. */
export function openRevocations (connection: Connection): Revocations {
  const additions = revocationBatch(connection)
  const lookups = lookupBatch(connection)
  const limit = createRevocationLimit(connection)
  return {
    async add (revocation) {
      const owner = await additions.run(revocation)
      if (owner !== undefined) await limit(owner)
    },
    // Keyset pagination on the index: every page costs the same.
    after: ({ revokedAt, id }, limit) => query(connection, FEED_ENTRY, sql`
      SELECT ${raw(columnNames(FEED_ENTRY))} FROM revocation
      WHERE (revoked_at, id) > (${revokedAt}, ${id}) ORDER BY revoked_at, id LIMIT ${limit}`),
    async has (ids) {
      const found = await query(connection, { id: 'string' }, sql`
        SELECT id FROM revocation WHERE id IN (${join([...ids])}) AND not_before IS NULL`)
      return found.length > 0
    },
    covers: (token, groups = revocationGroups(token)) => lookups.run({ token, groups })
  }
}

/** Adds revocations in batches, each in a transaction. Returns the owner of an added feed entry. */
function revocationBatch (connection: Connection): Batcher<Revocation, EntryOwner | undefined> {
  const grants = listStatement(connection, {
    entry: pick(revocation, 'id', 'revokedAt'),
    sql: entries => `
      UPDATE access_grant SET revoked_at = entry.revoked_at
      FROM ${lockRows(connection, entries, { table: 'access_grant', key: 'id', on: 'access_grant.id = entry.id' })}
      WHERE access_grant.id = entry.id AND access_grant.revoked_at IS NULL`
  })
  // Runs after the grants are locked, so that they issue no more access tokens.
  const end = `COALESCE(entry.ends_at, ${secondsAfter(connection, 'access_grant.tokens_end_at', REVOCATION_MARGIN)})`
  const row = pick(revocation, 'id', 'userId', 'clientId')
  const feed = listStatement(connection, {
    entry: { ...row, ...pick(revocation, 'revokedAt'), endsAt: 'datetime?' },
    sql: entries => `
      INSERT INTO revocation (id, revoked_at, ends_at, user_id, client_id)
      SELECT DISTINCT entry.id, entry.revoked_at, ${end},
        COALESCE(access_grant.user_id, entry.user_id), COALESCE(access_grant.client_id, entry.client_id)
      FROM ${entries} LEFT JOIN access_grant ON access_grant.id = entry.id WHERE ${end} > entry.revoked_at ORDER BY entry.id
      ON CONFLICT DO NOTHING RETURNING ${columns(row, 'revocation')}`,
    row
  })
  const margin = (endsAt: Date | undefined) => endsAt === undefined ? null : after(endsAt, REVOCATION_MARGIN)
  return new Batcher(async (asked, mode) => {
    const rows = await connection.transact(function * () {
      yield * grants.step(asked)
      return yield * feed.step(asked.map(({ endsAt, ...revocation }) =>
        ({ userId: null, clientId: null, ...revocation, endsAt: margin(endsAt) })))
    }, mode)
    const added = new Map(rows.map(({ id, ...owner }) => [id, owner]))
    return asked.map(({ id }) => added.get(id))
  }, { concurrency: connection.concurrency, keyOf: ({ id }) => id })
}

/** Checks in batches whether tokens are revoked. */
function lookupBatch (connection: Connection): Batcher<{ token: AccessToken, groups: Groups }, boolean> {
  const statement = listStatement(connection, {
    entry: { jti: 'string', grantId: 'string', userGroup: 'string', clientGroup: 'string', pairGroup: 'string', issuedAt: 'datetime' },
    sql: entries => `
      SELECT DISTINCT entry.jti FROM ${entries}
      JOIN revocation ON id IN (entry.jti, entry.grant_id, entry.user_group, entry.client_group, entry.pair_group)
        AND ((id IN (entry.jti, entry.grant_id) AND not_before IS NULL)
          OR (id IN (entry.user_group, entry.client_group, entry.pair_group) AND not_before > entry.issued_at))`,
    row: { jti: 'string' }
  })
  return new Batcher(async asked => {
    const found = await statement.run(asked.map(({ token: { jti, grant_id: grantId = jti, iat }, groups }) => {
      const [userGroup, clientGroup, pairGroup] = groups
      return { jti, grantId, userGroup, clientGroup, pairGroup, issuedAt: new Date(iat * 1_000) }
    }))
    const revoked = new Set(found.map(({ jti }) => jti))
    return asked.map(({ token: { jti } }) => revoked.has(jti))
  }, connection)
}

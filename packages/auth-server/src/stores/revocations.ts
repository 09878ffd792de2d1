import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { lockingList } from '@frontdesk/database/lock-order'
import { join, query, sql } from '@frontdesk/database/sql'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import type { AccessToken } from '@frontdesk/schemas/access-token'
import { revocationGroups } from '@frontdesk/schemas/revocations'
import { REVOCATION_MARGIN } from '../lifetimes.js'
import { secondsAfter } from './database-time.js'
import { limitRevocations, type EntryOwner } from './revocation-limits.js'
import { sweepRows } from './sweep.js'

/** A grant or an access token to revoke. */
export interface Revocation {
  /** Id of a grant, which revokes all its tokens, or the `jti` of one access token. */
  readonly id: string
  readonly revokedAt: Date
  /** When the access token expires; without it, the last one that the grant gave counts. The stored time adds a margin. */
  readonly endsAt?: Date
  /** Of an access token: whose it is. Of a grant it is known. */
  readonly userId?: string | null
  readonly clientId?: string
}

/** Entry of the revocation feed. */
export interface FeedEntry {
  readonly id: string
  readonly revokedAt: Date
  /** When the last token that it revokes has expired, with a margin. */
  readonly endsAt: Date
  /** Not null: `id` is the digest of a group, and its access tokens with an earlier `iat` are revoked. */
  readonly notBefore: Date | null
}

/** The revocations, and their feed. */
export interface Revocations {
  /**
   * Atomic and idempotent: revokes a grant with its codes and refresh tokens, or one access token. A second call keeps the
   * first time. The feed gets an entry only while an access token can be valid, and a limited number of entries for each person
   * and client: see `limitRevocations`.
   */
  add (revocation: Revocation): Promise<void>
  /** A page of the feed: up to `limit` entries after this one, by time and id. */
  after (place: Pick<FeedEntry, 'revokedAt' | 'id'>, limit: number): Promise<FeedEntry[]>
  /** Whether any of these ids is revoked, groups not counted. */
  has (ids: readonly string[]): Promise<boolean>
  /** Whether an access token is revoked: itself, its grant or one of its groups. @param groups those of the token, if known */
  covers (token: AccessToken, groups?: readonly string[]): Promise<boolean>
  /** Removes up to `limit` revocations whose last token has expired. Returns how many. */
  sweep (now: Date, limit: number): Promise<number>
}

/** The columns of {@link FeedEntry}. */
const FEED_ENTRY = { id: 'string', revokedAt: 'datetime', endsAt: 'datetime', notBefore: 'datetime?' } as const

/** {@link Revocations} in a database. Concurrent revocations share a transaction, and concurrent lookups a query. */
export function openRevocations (connection: Connection): Revocations {
  const additions = addRevocations(connection)
  const lookups = findRevoked(connection)
  const limit = limitRevocations(connection)
  return {
    async add (revocation) {
      const owner = await additions.ask(revocation)
      if (owner !== undefined) await limit(owner)
    },
    // Keyset pagination on the index: every page costs the same.
    after: ({ revokedAt, id }, limit) => query(connection, FEED_ENTRY, sql`
      SELECT id, revoked_at, ends_at, not_before FROM revocation
      WHERE (revoked_at, id) > (${revokedAt}, ${id}) ORDER BY revoked_at, id LIMIT ${limit}`),
    async has (ids) {
      const found = await query(connection, { id: 'string' }, sql`SELECT id FROM revocation WHERE id IN (${join([...ids])}) AND not_before IS NULL`)
      return found.length > 0
    },
    covers: (token, groups = revocationGroups(token)) => lookups.ask({ token, groups }),
    sweep: (now, limit) => sweepRows(connection, { table: 'revocation', key: 'id', where: sql`ends_at <= ${now}` }, limit)
  }
}

/** Adds revocations in batches, each in a transaction. Returns whose tokens an entry was added for. */
function addRevocations (connection: Connection): Batch<Revocation, EntryOwner | undefined> {
  const grants = new ValuesStatement(connection, list => `
    UPDATE access_grant SET revoked_at = column2
    FROM (${lockingList(connection, list, { table: 'access_grant', key: 'id', on: 'id = column1' })}) AS ended
    WHERE id = column1 AND revoked_at IS NULL`, ['string', 'datetime'])
  // After the grants are locked: none gives another access token.
  const end = `COALESCE(column3, ${secondsAfter(connection, 'access_grant.tokens_end_at', REVOCATION_MARGIN)})`
  const feed = new ValuesStatement(connection, list => `
    INSERT INTO revocation (id, revoked_at, ends_at, user_id, client_id)
    SELECT DISTINCT column1, column2, ${end}, COALESCE(access_grant.user_id, column4), COALESCE(access_grant.client_id, column5)
    FROM (${list}) AS ended LEFT JOIN access_grant ON access_grant.id = column1 WHERE ${end} > column2 ORDER BY column1
    ON CONFLICT DO NOTHING RETURNING id, user_id, client_id`,
  ['string', 'datetime', 'datetime', 'string', 'string'], { id: 'string', userId: 'string?', clientId: 'string?' })
  const margin = (endsAt: Date | undefined) => endsAt === undefined ? null : new Date(endsAt.getTime() + REVOCATION_MARGIN * 1_000)
  return new Batch(async (asked, mode) => {
    const rows = await connection.transact(function * () {
      yield grants.query(asked.map(({ id, revokedAt }) => [id, revokedAt]))
      return yield * feed.step(asked.map(({ id, revokedAt, endsAt, userId = null, clientId = null }) =>
        [id, revokedAt, margin(endsAt), userId, clientId]))
    }, mode)
    const added = new Map(rows.map(({ id, ...owner }) => [id, owner]))
    return asked.map(({ id }) => added.get(id))
  }, { concurrency: connection.concurrency, keyOf: ({ id }) => id })
}

/** Finds in batches what is revoked. */
function findRevoked (connection: Connection): Batch<{ token: AccessToken, groups: readonly string[] }, boolean> {
  const statement = new ValuesStatement(connection, list => `
    SELECT DISTINCT column1 FROM (${list}) AS asked
    JOIN revocation ON id IN (column1, column2, column3, column4, column5)
      AND ((id IN (column1, column2) AND not_before IS NULL) OR (id IN (column3, column4, column5) AND not_before > column6))`,
  ['string', 'string', 'string', 'string', 'string', 'datetime'], { jti: 'string' })
  return new Batch(async asked => {
    const rows = asked.map(({ token: { jti, grant_id: grant = jti, iat }, groups }) => [jti, grant, ...groups, new Date(iat * 1_000)])
    const revoked = new Set((await statement.run(rows)).map(({ jti }) => jti))
    return asked.map(({ token: { jti } }) => revoked.has(jti))
  }, connection)
}

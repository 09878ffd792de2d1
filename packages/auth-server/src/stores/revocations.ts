import type { AccessToken } from '@frontdesk/schemas/access-token'
import { revocationGroups } from '@frontdesk/schemas/revocations'
import { REVOCATION_MARGIN } from '../lifetimes.js'
import type { Database } from './database.js'

/** A grant or an access token that was revoked. */
export interface Revocation {
  /** Id of a grant, which revokes all its tokens, or the `jti` of one access token. */
  readonly id: string
  readonly revokedAt: Date
  /** When the last revoked token expires; the stored time adds a margin. */
  readonly endsAt: Date
  /** Revokes the tokens of the group with an earlier `iat`; `null`: all tokens of the id. */
  readonly notBefore?: Date | null
}

/** Entry of the revocation feed. */
export interface FeedEntry extends Revocation {
  /** Not null: `id` is the digest of a group, and its access tokens with an earlier `iat` are revoked. */
  readonly notBefore: Date | null
}

/** The revocations, and their feed. */
export interface Revocations {
  /**
   * Atomic and idempotent: revokes a grant with its codes and refresh tokens, or one access token. A second call keeps the
   * first time.
   */
  add (revocation: Revocation): Promise<void>
  /** A page of the feed: up to `limit` entries after this one, by time and id. */
  after (place: Pick<Revocation, 'revokedAt' | 'id'>, limit: number): Promise<FeedEntry[]>
  /** Whether any of these ids is revoked, groups not counted. */
  has (ids: readonly string[]): Promise<boolean>
  /** Whether an access token is revoked: itself, its grant or one of its groups. */
  covers (token: AccessToken): Promise<boolean>
  /** Removes up to `limit` revocations whose last token has expired and that no grant needs. Returns how many. */
  sweep (now: Date, limit: number): Promise<number>
}

/** {@link Revocations} in a database. */
export function openRevocations (database: Database): Revocations {
  return {
    async add ({ id, revokedAt, endsAt }) {
      const keptUntil = new Date(endsAt.getTime() + REVOCATION_MARGIN * 1_000)
      await database.$transaction([
        database.$executeRaw`UPDATE access_grant SET revoked_at = ${revokedAt} WHERE id = ${id} AND revoked_at IS NULL`,
        database.$executeRaw`INSERT INTO revocation (id, revoked_at, ends_at) VALUES (${id}, ${revokedAt}, ${keptUntil}) ON CONFLICT DO NOTHING`
      ])
    },
    // Keyset pagination on the index: every page costs the same.
    after: async ({ revokedAt, id }, limit) => await database.$queryRaw<FeedEntry[]>`
      SELECT id, revoked_at AS "revokedAt", ends_at AS "endsAt", not_before AS "notBefore" FROM revocation
      WHERE (revoked_at, id) > (${revokedAt}, ${id}) ORDER BY revoked_at, id LIMIT ${limit}`,
    async has (ids) {
      return await database.revocation.findFirst({ where: { id: { in: [...ids] }, notBefore: null }, select: { id: true } }) !== null
    },
    async covers (token) {
      const { jti, grant_id: grant = jti, iat } = token
      const issuedAt = new Date(iat * 1_000)
      return await database.revocation.findFirst({
        where: { OR: [{ id: { in: [jti, grant] }, notBefore: null }, { id: { in: revocationGroups(token) }, notBefore: { gt: issuedAt } }] }, select: { id: true }
      }) !== null
    },
    async sweep (now, limit) {
      // For revocations by the previous release, this row is the only mark that the grant is revoked.
      return await database.$executeRaw`
        DELETE FROM revocation WHERE id IN (SELECT id FROM revocation AS ended WHERE ends_at <= ${now}
          AND NOT EXISTS (SELECT 1 FROM access_grant WHERE access_grant.id = ended.id AND access_grant.revoked_at IS NULL) LIMIT ${limit})`
    }
  }
}

import type { AccessToken } from '@frontdesk/schemas/access-token'
import { revocationGroups } from '@frontdesk/schemas/revocations'
import { REVOCATION_MARGIN } from '../lifetimes.js'
import type { Database } from './database.js'

/** A grant, or one access token, that ended before its time. */
export interface Revocation {
  /** Id of a grant, with which all of its tokens end, or the `jti` of one access token. */
  readonly id: string
  readonly revokedAt: Date
  /** When the last token that it revokes has expired; what is stored has a margin. */
  readonly endsAt: Date
  /** Access tokens of the group that were issued before this time are revoked; `null`: those of the id are, whenever they were issued. */
  readonly notBefore?: Date | null
}

/** Entry of the revocation feed. */
export interface FeedEntry extends Revocation {
  /** Not null: `id` is the digest of a group, whose access tokens are revoked that were issued before this time. */
  readonly notBefore: Date | null
}

/** What was revoked. */
export interface Revocations {
  /**
   * Revokes a grant, with its codes and refresh tokens, or one access token, in one transaction and for good; what is
   * revoked already stays so, since its own time.
   */
  add (revocation: Revocation): Promise<void>
  /** Those after this one, by time and id, up to `limit`. */
  after (place: Pick<Revocation, 'revokedAt' | 'id'>, limit: number): Promise<FeedEntry[]>
  /** Whether any of these is revoked by itself. */
  has (ids: readonly string[]): Promise<boolean>
  /** Whether an access token is revoked: by itself, with its grant or with one of its groups. */
  covers (token: AccessToken): Promise<boolean>
  /** Removes up to `limit` whose last token has expired, and that no grant depends on; says how many. */
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
    // Rows are compared as the index has them: a page costs the same wherever it is.
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
      // A row of the release before is all that says its grant is revoked.
      return await database.$executeRaw`
        DELETE FROM revocation WHERE id IN (SELECT id FROM revocation AS ended WHERE ends_at <= ${now}
          AND NOT EXISTS (SELECT 1 FROM access_grant WHERE access_grant.id = ended.id AND access_grant.revoked_at IS NULL) LIMIT ${limit})`
    }
  }
}

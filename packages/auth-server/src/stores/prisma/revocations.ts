import { revocationGroups } from '@frontdesk/schemas/revocations'
import { REVOCATION_MARGIN } from '../../lifetimes.js'
import type { FeedEntry, Revocations } from '../revocations.js'
import type { Database } from './database.js'

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

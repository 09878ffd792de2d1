import type { Revocations } from '../revocations.js'
import type { Database } from './database.js'

/** {@link Revocations} in a database. */
export function openRevocations (database: Database): Revocations {
  return {
    async add ({ id, revokedAt, endsAt }) {
      await database.$executeRaw`INSERT INTO revocation (id, revoked_at, ends_at) VALUES (${id}, ${revokedAt}, ${endsAt}) ON CONFLICT DO NOTHING`
    },
    after: ({ revokedAt, id }, take) => database.revocation.findMany({
      where: { OR: [{ revokedAt: { gt: revokedAt } }, { revokedAt, id: { gt: id } }] }, orderBy: [{ revokedAt: 'asc' }, { id: 'asc' }], take
    }),
    async has (ids) {
      return await database.revocation.findFirst({ where: { id: { in: [...ids] } }, select: { id: true } }) !== null
    },
    async sweep (now, limit) {
      return (await database.revocation.deleteMany({ where: { endsAt: { lte: now } }, limit })).count
    }
  }
}

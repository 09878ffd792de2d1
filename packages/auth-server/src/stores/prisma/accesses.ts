import { CODE_TTL, TOKEN_TTL, TRANSACTION_TTL } from '../../config/lifetimes.js'
import type { Access, Accesses } from '../accesses.js'
import type { Database } from './database.js'
import type { Connection } from './generated/database/connect.js'
import { ListStatement } from './generated/database/list-statement.js'

/** So many grants of one person are looked at: those of some hours. */
const LIMIT = 1_000

/** {@link Accesses} in a database. */
export function openAccesses (database: Database, connection: Connection): Accesses {
  const revocations = new ListStatement(connection, list => `INSERT INTO revocation (id, revoked_at, ends_at) ${list} ON CONFLICT DO NOTHING RETURNING id`, ['string', 'datetime', 'datetime'])
  return {
    async of (userId, now, accessTokenTtl) {
      const found = await database.accessGrant.findMany({ where: { userId, expiresAt: { gt: now } }, orderBy: { createdAt: 'desc' }, take: LIMIT })
      const revoked = new Set((await database.revocation.findMany({ where: { id: { in: found.map(({ id }) => id) } }, select: { id: true } })).map(({ id }) => id))
      const standing = found.filter(({ id }) => !revoked.has(id))
      const renewals = await database.refreshToken.groupBy({ by: ['grantId'], where: { grantId: { in: standing.map(({ id }) => id) } }, _max: { createdAt: true } })
      const renewedAt = new Map(renewals.map(({ grantId, _max }) => [grantId, _max.createdAt]))
      const consents = await database.consent.findMany({ where: { userId } })
      const names = await database.client.findMany({ where: { id: { in: [...standing, ...consents].map(({ clientId }) => clientId) } }, select: { id: true, name: true, accessTokenTtl: true } })
      const accesses = names.flatMap(({ id, name, accessTokenTtl: own }): Access[] => {
        const endOf = ({ id, createdAt, expiresAt }: typeof standing[number]) =>
          // One that is kept as long as its consent page says nothing of its token.
          renewedAt.has(id) || expiresAt.getTime() - createdAt.getTime() > TRANSACTION_TTL * 1_000 ? expiresAt : new Date(createdAt.getTime() + (own ?? accessTokenTtl) * 1_000)
        const grants = standing.filter(grant => grant.clientId === id && endOf(grant).getTime() + CODE_TTL * 1_000 > now.getTime())
        const remembered = consents.filter(({ clientId }) => clientId === id)
        if (grants.length + remembered.length === 0) return []
        const latest = (times: Date[]) => times.length === 0 ? null : new Date(Math.max(...times.map(time => time.getTime())))
        return [{
          clientId: id,
          clientName: name,
          scope: [...new Set([...grants, ...remembered].flatMap(({ scope }) => scope.split(' ').filter(it => it !== '')))],
          since: new Date(Math.min(...grants.map(({ createdAt }) => createdAt.getTime()), ...remembered.map(({ allowedAt }) => allowedAt.getTime()))),
          lastUsed: latest(grants.map(grant => renewedAt.get(grant.id) ?? grant.createdAt)),
          endsAt: latest(grants.map(endOf)),
          isRemembered: remembered.length > 0
        }]
      })
      const order = ({ lastUsed, since }: Access) => (lastUsed ?? since).getTime()
      return accesses.sort((one, other) => order(other) - order(one))
    },
    async remove (userId, clientId, now) {
      // First: whoever gives access because of it looks again once the grant is there to be found below.
      const { count: remembered } = await database.consent.deleteMany({ where: { userId, clientId } })
      // A code that is exchanged after this would begin a family that outlives the revocation.
      const codes = await database.$queryRaw<Array<{ grant_id: string }>>`
        DELETE FROM authorization_code WHERE user_id = ${userId} AND client_id = ${clientId} AND spent_at IS NULL RETURNING grant_id`
      const grants = await database.accessGrant.findMany({ where: { userId, clientId, expiresAt: { gt: now } }, select: { id: true, expiresAt: true } })
      // A token that is made at this moment can last that long.
      const least = new Date(now.getTime() + TOKEN_TTL.maximum * 1_000)
      // The grant of a code may be on its way: who records it is to find that it is revoked.
      const ends = new Map([...codes.map(code => [code.grant_id, least] as const), ...grants.map(({ id, expiresAt }) => [id, expiresAt > least ? expiresAt : least] as const)])
      const added = ends.size === 0 ? [] : await revocations.run([...ends].map(([id, endsAt]) => [id, now, endsAt]))
      if (added.length > 0) await database.refreshToken.deleteMany({ where: { grantId: { in: [...ends.keys()] } } })
      // Last: whoever allowed it meanwhile looks again once the consent is there to be found here.
      await database.consent.deleteMany({ where: { userId, clientId } })
      return { grants: added.length, remembered }
    }
  }
}

import { CODE_TTL, TRANSACTION_TTL } from '../../config/lifetimes.js'
import type { Access, Accesses } from '../accesses.js'
import type { Database } from './database.js'
import { createAccessEnd } from './end-access.js'
import { foldUsername } from './fold-username.js'
import type { Connection } from './generated/database/connect.js'
import { ListStatement } from './generated/database/list-statement.js'
import { grantEpoch } from './live-grant.js'

/** So many grants of one person are looked at: those of some hours. */
const LIMIT = 1_000

/** {@link Accesses} in a database. */
export function openAccesses (database: Database, connection: Connection): Accesses {
  const access = createAccessEnd(connection)
  const known = new ListStatement(connection, list => `SELECT id FROM client WHERE id IN (${list})`, ['string'])
  const epochs = new ListStatement(connection, list => `
    SELECT ${grantEpoch('id', 'column2')} FROM user_account JOIN (${list}) AS asked ON username_key = column1`, ['string', 'string'])
  const consents = new ListStatement(connection, list => `
    DELETE FROM consent WHERE (user_id, client_id) IN (${list}) RETURNING scope`, ['string', 'string'])
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
    async epoch (username, clientId) {
      // PostgreSQL has no text with NUL.
      const [row] = username.includes('\0') ? [] : await epochs.run([[foldUsername(username), clientId]])
      return row === undefined ? 0 : Number(row[0])
    },
    remove: (userId, clientId) => connection.transact(function * () {
      const [client] = yield known.query([[clientId]])
      if (client === undefined) return null
      yield * access.steps([{ userId, clientId }])
      // Consent that is added at this moment keeps the epoch before.
      return { remembered: (yield consents.query([[userId, clientId]])).length }
    })
  }
}

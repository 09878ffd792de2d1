import type { AuthorizationCodes } from '../authorization-codes.js'
import type { Database } from './database.js'

/** How long a code is kept after its end, in milliseconds, to know it when it comes again. */
const MEMORY = 24 * 60 * 60_000

/** {@link AuthorizationCodes} in a database. */
export function openAuthorizationCodes (database: Database): AuthorizationCodes {
  return {
    async add (code) { await database.authorizationCode.create({ data: code }) },
    async spend ({ hash, clientId, codeChallenge, redirectUri, audience }, now) {
      const callback = redirectUri === undefined ? { callbackNamed: false } : { redirectUri }
      // Reading first and writing after would let two callers through.
      const [code] = await database.authorizationCode.updateManyAndReturn({
        where: { hash, clientId, codeChallenge, ...callback, ...(audience === undefined ? {} : { audience }), spentAt: null, expiresAt: { gt: now } },
        data: { spentAt: now }
      })
      return code ?? null
    },
    findSpent: (hash, clientId) => database.authorizationCode.findFirst({ where: { hash, clientId, spentAt: { not: null } } }),
    async sweep (now, limit) {
      return (await database.authorizationCode.deleteMany({ where: { expiresAt: { lte: new Date(now.getTime() - MEMORY) } }, limit })).count
    }
  }
}

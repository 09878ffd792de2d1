import type { AuthorizationCodes } from '../authorization-codes.js'
import { createCodeExchange } from './code-exchange.js'
import type { Database } from './database.js'
import type { Connection } from '@frontdesk/database/connection'

/** How long a code is kept after its end, in milliseconds, to know it when it comes again. */
const MEMORY = 24 * 60 * 60_000

/** {@link AuthorizationCodes} in a database. */
export function openAuthorizationCodes (database: Database, connection: Connection): AuthorizationCodes {
  return {
    async add (code) { await database.authorizationCode.create({ data: code }) },
    exchange: createCodeExchange(connection),
    findSpent: ({ hash, clientId, codeChallenge }) => database.authorizationCode.findFirst({ where: { hash, clientId, codeChallenge, spentAt: { not: null } } }),
    async sweep (now, limit) {
      return (await database.authorizationCode.deleteMany({ where: { expiresAt: { lte: new Date(now.getTime() - MEMORY) } }, limit })).count
    }
  }
}

import type { Grants } from '../grants.js'
import type { Database } from './database.js'
import { isNew } from './unique.js'

/** {@link Grants} in a database. */
export function openGrants (database: Database): Grants {
  return {
    // The unique nonce decides: asking first and adding after would let two callers through.
    add: grant => isNew(database.accessGrant.create({ data: grant })),
    async sweep (now, limit) {
      return (await database.accessGrant.deleteMany({ where: { expiresAt: { lte: now } }, limit })).count
    }
  }
}

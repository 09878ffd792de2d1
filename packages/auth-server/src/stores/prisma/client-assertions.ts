import type { ClientAssertions } from '../client-assertions.js'
import type { Database } from './database.js'
import { isNew } from './unique.js'

/** {@link ClientAssertions} in a database. */
export function openClientAssertions (database: Database): ClientAssertions {
  return {
    add: (idHash, expiresAt) => isNew(database.clientAssertion.create({ data: { idHash, expiresAt } })),
    async sweep (now, limit) {
      return (await database.clientAssertion.deleteMany({ where: { expiresAt: { lte: now } }, limit })).count
    }
  }
}

import type { Database } from './database.js'
import { isNew } from './unique.js'

/** Assertions that clients have authenticated with. Each is accepted once (RFC 7523 §3). */
export interface ClientAssertions {
  /** Stores an assertion until it expires. Atomic: exactly one concurrent caller gets `true`, every other `false`. */
  add (idHash: string, expiresAt: Date): Promise<boolean>
  /** Removes up to `limit` expired assertions. Returns how many. */
  sweep (now: Date, limit: number): Promise<number>
}

/** {@link ClientAssertions} in a database. */
export function openClientAssertions (database: Database): ClientAssertions {
  return {
    add: (idHash, expiresAt) => isNew(database.clientAssertion.create({ data: { idHash, expiresAt } })),
    async sweep (now, limit) {
      return (await database.clientAssertion.deleteMany({ where: { expiresAt: { lte: now } }, limit })).count
    }
  }
}

import type { Database } from './database.js'
import { isNew } from './unique.js'

/** The assertions that clients have authenticated with, each of which counts once (RFC 7523 §3). */
export interface ClientAssertions {
  /** Notes one until it ends; `false` if it is noted already. Of any number of callers at once exactly one gets `true`. */
  add (idHash: string, expiresAt: Date): Promise<boolean>
  /** Removes up to `limit` that have ended; says how many. */
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

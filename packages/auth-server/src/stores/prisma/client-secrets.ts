import type { ClientSecrets } from '../client-secrets.js'
import type { Database } from './database.js'
import { isNew } from './unique.js'

const SLOTS = [1, 2]

/** {@link ClientSecrets} in a database. */
export function openClientSecrets (database: Database): ClientSecrets {
  return {
    async add (secret) {
      // The primary key decides: counting first would let three in.
      for (const slot of SLOTS) if (await isNew(database.clientSecret.create({ data: { ...secret, slot } }))) return slot
      return null
    },
    list: clientId => database.clientSecret.findMany({ where: { clientId }, orderBy: { slot: 'asc' } }),
    async has (clientId, hash) {
      return await database.clientSecret.findFirst({ where: { clientId, hash }, select: { slot: true } }) !== null
    },
    async remove (clientId, slot) {
      return (await database.clientSecret.deleteMany({ where: { clientId, slot } })).count === 1
    }
  }
}

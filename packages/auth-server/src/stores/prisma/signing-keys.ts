import { isDriverAdapterError } from '@prisma/driver-adapter-utils'
import type { SigningKeys } from '../signing-keys.js'
import type { Database } from './database.js'
import { isNew } from './unique.js'

/** How often a key is retired while others are retired too. */
const ATTEMPTS = 5

/** {@link SigningKeys} in a database. */
export function openSigningKeys (database: Database): SigningKeys {
  return {
    async list () {
      const rows = await database.signingKey.findMany({ orderBy: { generation: 'asc' } })
      // The release before this one wrote keys that sign from the beginning.
      return rows.map(row => ({ ...row, signsFrom: row.signsFrom ?? row.createdAt }))
    },
    add: key => isNew(database.signingKey.create({ data: key })),
    async reseal (kid, from, to) {
      return (await database.signingKey.updateMany({ where: { kid, privateJwe: from }, data: { privateJwe: to } })).count === 1
    },
    async retire (kid, retiredAt) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await retireOne(database, kid, retiredAt)
        } catch (error) {
          if (attempt === ATTEMPTS || !isConflict(error)) throw error
        }
      }
    },
    async now () {
      const [row] = await database.$queryRaw<Array<{ now: Date | string }>>`SELECT CURRENT_TIMESTAMP AS now`
      // as: one row. SQLite gives text, in UTC.
      const { now } = row as { now: Date | string }
      return typeof now === 'string' ? new Date(`${now.replace(' ', 'T')}Z`) : now
    }
  }
}

/** Serializable: two that each leave the other's key could leave none. */
async function retireOne (database: Database, kid: string, retiredAt: Date): Promise<boolean> {
  return await database.$transaction(async ({ signingKey }) => {
    const others = await signingKey.count({ where: { kid: { not: kid }, retiredAt: null, OR: [{ signsFrom: null }, { signsFrom: { lte: retiredAt } }] } })
    if (others === 0) return false
    return (await signingKey.updateMany({ where: { kid, retiredAt: null }, data: { retiredAt, privateJwe: '' } })).count === 1
  }, { isolationLevel: 'Serializable' })
}

/** Prisma's code for it, or the driver's word where the transaction fails as it ends. */
function isConflict (error: unknown): boolean {
  return (error instanceof Error && 'code' in error && error.code === 'P2034') ||
    (isDriverAdapterError(error) && error.cause.kind === 'TransactionWriteConflict')
}

import { isDriverAdapterError } from '@prisma/driver-adapter-utils'
import type { Database } from './database.js'
import { isNew } from './unique.js'

/** A key as it is stored. */
export interface StoredKey {
  readonly kid: string
  /** 1, 2, 3… */
  readonly generation: number
  readonly alg: string
  /** JSON of the public JWK. */
  readonly publicJwk: string
  /** The private JWK in a compact JWE; empty once the key is retired. */
  readonly privateJwe: string
  readonly createdAt: Date
  /** From when on it signs, until a younger one does. */
  readonly signsFrom: Date
  /** When it was withdrawn; `null` if it is not. */
  readonly retiredAt: Date | null
}

/** The keys that sign access tokens. */
export interface SigningKeys {
  /** All of them, oldest first. */
  list (): Promise<StoredKey[]>
  /** Adds a key; `false` if another process has taken its generation, and then nothing is changed. */
  add (key: Omit<StoredKey, 'retiredAt'>): Promise<boolean>
  /** Puts one encryption of a private key in the place of another; `false` if another process was first. */
  reseal (kid: string, from: string, to: string): Promise<boolean>
  /**
   * Withdraws a key and forgets its private part; `false`, with nothing changed, if it is withdrawn already, there is
   * none, or the time of no other has come. Of callers at once who would leave no key, one gets `false`.
   */
  retire (kid: string, now: Date): Promise<boolean>
  /** The time by the clock of the database, to the second: by it all replicas agree what a key's time is. */
  now (): Promise<Date>
}

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

import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { decodeRows } from '@frontdesk/database/rows'
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
  /** When it starts to sign, until a newer key does. */
  readonly signsFrom: Date
  /** When it was retired; `null` if it is not. */
  readonly retiredAt: Date | null
}

/** The keys that sign access tokens. */
export interface SigningKeys {
  /** All of them, oldest first. */
  list (): Promise<StoredKey[]>
  /** Adds a key. Atomic: returns `false`, with nothing changed, if another process has taken its generation. */
  add (key: Omit<StoredKey, 'retiredAt'>): Promise<boolean>
  /** Compare-and-swap of an encrypted private key. Returns `false` if another process was first. */
  reseal (kid: string, from: string, to: string): Promise<boolean>
  /**
   * Retires a key and erases its private part. Returns `false`, with nothing changed, if it is unknown or retired already,
   * or if no other key signs yet. Serializable: concurrent callers cannot retire the last keys.
   */
  retire (kid: string, now: Date): Promise<boolean>
  /** The time of the database, by which all replicas choose the key that signs. */
  now (): Promise<Date>
}

/** Most attempts of a retirement that conflicts with others. */
const ATTEMPTS = 5

/** {@link SigningKeys} in a database. */
export function openSigningKeys (database: Database, connection: Connection): SigningKeys {
  return {
    async list () {
      const rows = await database.signingKey.findMany({ orderBy: { generation: 'asc' } })
      // The previous release wrote no `signsFrom`: its keys sign from the start.
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
      const query = { sql: `SELECT ${databaseTime(connection)}`, args: [], argTypes: [] }
      // as: one row.
      return decodeRows({ now: 'datetime' }, await connection.run(query))[0]!.now
    }
  }
}

/** Serializable: two concurrent calls that each count the other's key could retire both. */
async function retireOne (database: Database, kid: string, retiredAt: Date): Promise<boolean> {
  return await database.$transaction(async ({ signingKey }) => {
    const others =
      await signingKey.count({
        where: {
          kid: { not: kid },
          retiredAt: null,
          OR: [{ signsFrom: null }, { signsFrom: { lte: retiredAt } }]
        }
      })
    if (others === 0) return false
    return (await signingKey.updateMany({ where: { kid, retiredAt: null }, data: { retiredAt, privateJwe: '' } })).count === 1
  }, { isolationLevel: 'Serializable' })
}

/** A write conflict, as Prisma reports it, or as the driver does at COMMIT. */
function isConflict (error: unknown): boolean {
  return (error instanceof Error && 'code' in error && error.code === 'P2034') ||
    (isDriverAdapterError(error) && error.cause.kind === 'TransactionWriteConflict')
}

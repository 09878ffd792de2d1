import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { lockInOrder } from '@frontdesk/database/lock-order'
import type { Row } from '@frontdesk/database/rows'
import { empty, execute, executeStep, newRow, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import { columnNames } from '@frontdesk/database/table'
import type { SigningAlg } from '@frontdesk/schemas/jwks'
import { signingKey } from '../../generated/tables.js'

const { columns } = signingKey
const names = raw(columnNames(columns))

/** A stored key. */
export type StoredKey = Row<typeof columns>

/** The keys that sign one kind of tokens. */
export interface SigningKeys {
  /** All keys, oldest first. */
  list (): Promise<StoredKey[]>
  /** Atomic: adds a key. Returns its id; `null`, with nothing changed, if another process has taken its generation. */
  add (key: Omit<StoredKey, 'retiredAt'>): Promise<string | null>
  /** Compare-and-swap of an encrypted private key. Returns `false` if another process was first. */
  reseal (kid: string, from: string, to: string): Promise<boolean>
  /**
   * Retires a key and erases its private part. Returns `false`, with nothing changed, if it is unknown or already retired,
   * or if no other key signs yet. Atomic: concurrent callers cannot retire the last keys.
   */
  retire (kid: string, now: Date): Promise<boolean>
  /** The database's time, by which all replicas choose the signing key. */
  now (): Promise<Date>
}

/** The keys that sign ID tokens. */
export interface IdTokenKeys {
  /** The algorithms that have keys. */
  algsWithKeys (): Promise<string[]>
  /** The algorithms that registered clients need. */
  algsInUse (): Promise<string[]>
  /** The keys of one algorithm. */
  of (alg: SigningAlg): SigningKeys
}

/** Opens the keys that sign access tokens. */
export function openSigningKeys (connection: Connection): SigningKeys {
  return openKeys(connection, 'signing_key', empty)
}

export function openIdTokenKeys (connection: Connection): IdTokenKeys {
  return {
    async algsWithKeys () {
      return (await query(connection, { alg: 'string' }, sql`SELECT DISTINCT alg FROM id_token_key`)).map(({ alg }) => alg)
    },
    async algsInUse () {
      const algs = await query(connection, { alg: 'string' }, sql`
        SELECT id_token_signed_response_alg FROM client
        UNION SELECT userinfo_signed_response_alg FROM client WHERE userinfo_signed_response_alg IS NOT NULL`)
      return algs.map(({ alg }) => alg)
    },
    of: alg => openKeys(connection, 'id_token_key', sql`alg = ${alg} AND`)
  }
}

/** @param own SQL condition of these keys in the table, with AND at its end */
function openKeys (connection: Connection, table: string, own: Sql): SigningKeys {
  const keys = raw(table)
  return {
    list: () => query(connection, columns, sql`SELECT ${names} FROM ${keys} WHERE ${own} true ORDER BY generation`),
    add: key => connection.transact(function * () {
      const [added] = yield * queryStep(connection, { kid: 'string' }, sql`
        INSERT INTO ${keys} ${newRow(columns, { ...key, retiredAt: null })} ON CONFLICT DO NOTHING RETURNING kid`)
      return added?.kid ?? null
    }),
    reseal: async (kid, from, to) => await execute(connection, sql`
      UPDATE ${keys} SET private_jwe = ${to} WHERE kid = ${kid} AND private_jwe = ${from}`) === 1,
    retire: (kid, now) => connection.transact(function * () {
      // Locks all keys: two concurrent calls that each count the other's key could retire both.
      yield * queryStep(connection, { kid: 'string' }, sql`
        SELECT kid FROM ${keys} WHERE ${own} (kid = ${kid} OR retired_at IS NULL) ${raw(lockInOrder(connection, 'kid'))}`)
      return (yield * executeStep(connection, sql`
        UPDATE ${keys} SET retired_at = ${now}, private_jwe = '' WHERE ${own} kid = ${kid} AND retired_at IS NULL AND EXISTS (
          SELECT 1 FROM ${keys} AS other WHERE ${own} other.kid <> ${kid} AND other.retired_at IS NULL AND other.signs_from <= ${now})`
      )) === 1
    }),
    async now () {
      // as: one row.
      return (await query(connection, { now: 'datetime' }, sql`SELECT ${raw(databaseTime(connection))}`))[0]!.now
    }
  }
}

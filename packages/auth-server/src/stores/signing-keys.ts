import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { query, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { ValuesStatement } from '@frontdesk/database/values-statement'

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
   * or if no other key signs yet. Atomic: concurrent callers cannot retire the last keys.
   */
  retire (kid: string, now: Date): Promise<boolean>
  /** The time of the database, by which all replicas choose the key that signs. */
  now (): Promise<Date>
}

/** The columns of {@link StoredKey}. */
const COLUMNS = {
  kid: 'string',
  generation: 'int',
  alg: 'string',
  publicJwk: 'string',
  privateJwe: 'string',
  createdAt: 'datetime',
  signsFrom: 'datetime',
  retiredAt: 'datetime?'
} as const

/** {@link SigningKeys} in a database. */
export function openSigningKeys (connection: Connection): SigningKeys {
  const retirement = createRetirement(connection)
  return {
    // The previous release wrote no `signs_from`: its keys sign from the start.
    list: () => query(connection, COLUMNS, sql`
      SELECT kid, generation, alg, public_jwk, private_jwe, created_at, COALESCE(signs_from, created_at), retired_at
      FROM signing_key ORDER BY generation`),
    async add ({ kid, generation, alg, publicJwk, privateJwe, createdAt, signsFrom }) {
      const added = await query(connection, { kid: 'string' }, sql`
        INSERT INTO signing_key (kid, generation, alg, public_jwk, private_jwe, created_at, signs_from)
        VALUES (${kid}, ${generation}, ${alg}, ${publicJwk}, ${privateJwe}, ${createdAt}, ${signsFrom})
        ON CONFLICT DO NOTHING RETURNING kid`)
      return added.length === 1
    },
    async reseal (kid, from, to) {
      const changed = await query(connection, { kid: 'string' }, sql`
        UPDATE signing_key SET private_jwe = ${to} WHERE kid = ${kid} AND private_jwe = ${from} RETURNING kid`)
      return changed.length === 1
    },
    retire: (kid, now) => connection.transact(() => retirement(kid, now)),
    async now () {
      // as: one row.
      return (await query(connection, { now: 'datetime' }, sql`SELECT ${raw(databaseTime(connection))}`))[0]!.now
    }
  }
}

/** Two concurrent calls that each count the other's key could retire both: so each first locks all keys. */
function createRetirement (connection: Connection): (kid: string, now: Date) => Steps<boolean> {
  const lock = new ValuesStatement(connection, list => `
    SELECT kid FROM signing_key WHERE kid IN (${list}) OR retired_at IS NULL ${lockInOrder(connection, 'kid')}`, ['string'])
  const change = new ValuesStatement(connection, list => `
    UPDATE signing_key SET retired_at = column2, private_jwe = '' FROM (${list}) AS retired
    WHERE kid = column1 AND retired_at IS NULL AND EXISTS (
      SELECT 1 FROM signing_key AS other WHERE other.kid <> column1 AND other.retired_at IS NULL AND COALESCE(other.signs_from, other.created_at) <= column2)
    RETURNING kid`, ['string', 'datetime'])
  return function * (kid, now) {
    yield lock.query([[kid]])
    return (yield change.query([[kid, now]])).length === 1
  }
}

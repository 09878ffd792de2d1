import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { newRow, query, queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames } from '@frontdesk/database/table'
import { registrationToken } from '../../generated/tables.js'

const { hash: _, ...COLUMNS } = registrationToken.columns
const names = raw(columnNames(COLUMNS))

/** An initial access token (RFC 7591 §3), without the token. */
export interface RegistrationToken extends Omit<Row<typeof COLUMNS>, 'grantTypes'> {
  /** Grants that these apps can register for. */
  readonly grantTypes: readonly string[]
}

/** The initial access tokens. Only hashes of them are stored: SHA-256, base64url, since they have 256 random bits. */
export interface RegistrationTokens {
  add (token: RegistrationToken & { readonly hash: string }): Promise<void>
  /** The token if it can register an app now; else `null`. */
  find (hash: string, now: Date): Promise<RegistrationToken | null>
  /** All of them, newest first. */
  list (): Promise<RegistrationToken[]>
  /** Removes a token. Returns `false` for an unknown id. */
  remove (id: string): Promise<boolean>
}

/** {@link RegistrationTokens} in a database. */
export function openRegistrationTokens (connection: Connection): RegistrationTokens {
  const toToken = ({ grantTypes, ...fields }: Row<typeof COLUMNS>) => ({ ...fields, grantTypes: grantTypes.split(' ') })
  return {
    async add ({ grantTypes, ...token }) {
      const row = newRow(registrationToken.columns, { ...token, grantTypes: grantTypes.join(' ') })
      await connection.transact(function * () { yield * queryStep(connection, {}, sql`INSERT INTO registration_token ${row}`) })
    },
    async find (hash, now) {
      const [found] = await query(connection, COLUMNS, sql`
        SELECT ${names} FROM registration_token WHERE hash = ${hash} AND ${isLive(now)}`)
      return found === undefined ? null : toToken(found)
    },
    list: async () => (await query(connection, COLUMNS, sql`
      SELECT ${names} FROM registration_token ORDER BY created_at DESC, id`)).map(toToken),
    remove: id => connection.transact(function * () {
      const removed = yield * queryStep(connection, { id: 'string' }, sql`DELETE FROM registration_token WHERE id = ${id} RETURNING id`)
      return removed.length === 1
    })
  }
}

/** Atomic: spends a use of a token, as a step of the transaction that registers the app. Returns `false` if it has none. */
export function * spendToken (connection: Connection, hash: string, now: Date): Steps<boolean> {
  const spent = yield * queryStep(connection, { id: 'string' }, sql`
    UPDATE registration_token SET uses_left = uses_left - 1 WHERE hash = ${hash} AND ${isLive(now)} RETURNING id`)
  return spent.length === 1
}

function isLive (now: Date) {
  return sql`uses_left > 0 AND expires_at > ${now}`
}

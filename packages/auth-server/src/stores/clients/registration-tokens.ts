import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { executeStep, newRow, query, queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames } from '@frontdesk/database/table'
import { registrationToken } from '../../generated/tables.js'

const { hash: _, ...COLUMNS } = registrationToken.columns
const names = raw(columnNames(COLUMNS))

/** An initial access token (RFC 7591 §3), without the token itself. */
export interface RegistrationToken extends Omit<Row<typeof COLUMNS>, 'grantTypes'> {
  /** Grant types that its clients can register for. */
  readonly grantTypes: readonly string[]
}

/** Opens the initial access tokens. Only hashes are stored: SHA-256 suffices for 256 random bits. */
export function openRegistrationTokens (connection: Connection) {
  const toToken = ({ grantTypes, ...fields }: Row<typeof COLUMNS>) => ({ ...fields, grantTypes: grantTypes.split(' ') })
  return {
    async add ({ grantTypes, ...token }: RegistrationToken & { readonly hash: string }) {
      const row = newRow(registrationToken.columns, { ...token, grantTypes: grantTypes.join(' ') })
      await connection.transact(function * () { yield * queryStep(connection, {}, sql`INSERT INTO registration_token ${row}`) })
    },
    /** The token, if it can register a client now; else `null`. */
    async find (hash: string, now: Date): Promise<RegistrationToken | null> {
      const [found] = await query(connection, COLUMNS, sql`
        SELECT ${names} FROM registration_token WHERE hash = ${hash} AND ${isLive(now)}`)
      return found === undefined ? null : toToken(found)
    },
    /** Tokens, newest first. @param after only those after this one @param limit default: all */
    async list (after?: Pick<RegistrationToken, 'createdAt' | 'id'>, limit = 1_000_000): Promise<RegistrationToken[]> {
      const isAfter = after === undefined
        ? sql`true`
        : sql`(created_at < ${after.createdAt} OR (created_at = ${after.createdAt} AND id > ${after.id}))`
      return (await query(connection, COLUMNS, sql`
        SELECT ${names} FROM registration_token WHERE ${isAfter} ORDER BY created_at DESC, id LIMIT ${limit}`)).map(toToken)
    },
    /** Removes a token. Returns `false` for an unknown id. */
    remove: (id: string) => connection.transact(function * () {
      return (yield * executeStep(connection, sql`DELETE FROM registration_token WHERE id = ${id}`)) === 1
    })
  }
}

/** Spends a use of a token, as a step of the transaction that registers the client. Returns `false` if it has none left. */
export function * spendToken (connection: Connection, hash: string, now: Date): Steps<boolean> {
  return (yield * executeStep(connection, sql`
    UPDATE registration_token SET uses_left = uses_left - 1 WHERE hash = ${hash} AND ${isLive(now)}`)) === 1
}

function isLive (now: Date) {
  return sql`uses_left > 0 AND expires_at > ${now}`
}

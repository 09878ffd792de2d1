import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { executeStep, exists, newRow, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, pick } from '@frontdesk/database/table'
import { signUpCode } from '../../generated/tables.js'
import { creatorMayAdminister } from '../access/administrators.js'

const SHOWN = pick(signUpCode, 'id', 'label', 'role', 'createdAt', 'expiresAt')
const LISTED = { ...SHOWN, usesLeft: 'int', createdBy: 'string?' } as const

/**
 * An invitation code, without the code itself. `usesLeft`: 0 while its creator may not administer. `createdBy`: the user name, or the id of
 * the client; `null`: a shell.
 */
export type SignUpCode = Row<typeof LISTED>

/** Maximum listed codes. */
const MAX_LISTED = 1_000

/** Opens the invitation codes of people who sign up. Only hashes are stored: SHA-256 suffices for 69 random bits. */
export function openSignUpCodes (connection: Connection) {
  return {
    add: (code: Row<typeof signUpCode.columns>) => connection.transact(function * () {
      yield * executeStep(connection, sql`INSERT INTO sign_up_code ${newRow(signUpCode.columns, code)}`)
    }),
    /** Whether someone can sign up with a code now. */
    isLive: (hash: string) => exists(connection, sql`SELECT 1 FROM sign_up_code WHERE hash = ${hash} AND ${isLive(connection)}`),
    /** The codes that have not expired and been removed, newest first: at most {@link MAX_LISTED}. */
    list: (): Promise<SignUpCode[]> => query(connection, LISTED, sql`
      SELECT ${raw(columnNames(SHOWN))}, CASE WHEN ${creatorMayAdminister('sign_up_code')} THEN uses_left ELSE 0 END,
        COALESCE((SELECT username FROM user_account WHERE id = sign_up_code.user_id), client_id)
      FROM sign_up_code ORDER BY created_at DESC, id LIMIT ${raw(String(MAX_LISTED))}`),
    /** Removes a code. Returns `false` for an unknown id. */
    remove: (id: string) => connection.transact(function * () {
      return (yield * executeStep(connection, sql`DELETE FROM sign_up_code WHERE id = ${id}`)) === 1
    })
  }
}

const USED = { id: 'string', role: 'string?' } as const

/**
 * Takes a use of a code, as a step of the transaction that adds the user. Returns the code's id and role, `null` if that was removed;
 * `undefined` if the code has no uses left.
 */
export function * useCode (connection: Connection, hash: string): Steps<Row<typeof USED> | undefined> {
  const [used] = yield * queryStep(connection, USED, sql`
    UPDATE sign_up_code SET uses_left = uses_left - 1 WHERE hash = ${hash} AND ${isLive(connection)}
    RETURNING id, (SELECT name FROM role WHERE name = sign_up_code.role)`)
  return used
}

function isLive (connection: Connection): Sql {
  return sql`uses_left > 0 AND expires_at > ${raw(databaseTime(connection))} AND ${creatorMayAdminister('sign_up_code')}`
}

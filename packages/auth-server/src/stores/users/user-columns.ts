import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { executeStep, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columns, pick } from '@frontdesk/database/table'
import { user } from '../../generated/tables.js'
import { readEmail } from '../../oauth/user-rules.js'
import { accessEpoch } from '../access/live-grant.js'

/** Columns of a user. */
export const USER = {
  ...pick(user, 'id', 'username', 'passwordHash', 'foreignCost', 'passwordSetAt', 'termsVersion', 'termsAcceptedAt'),
  ...pick(user, 'demo', 'disabledAt', 'createdAt'),
  /** Access epoch: how often the user's access was revoked. */
  epoch: 'int'
} as const

/** SQL list of columns. @param others SQL of those that are not in `user_account` */
export function userColumns<C extends typeof USER> (row: C, others?: Parameters<typeof columns<C>>[2]): string {
  return columns(row, 'user_account', { epoch: accessEpoch('user_account.id', "''"), ...others })
}

/** SQL that sets a password hash made here. An invitation is then no longer due. */
export function setHash (passwordHash: string): Sql {
  return sql`password_hash = ${passwordHash}, foreign_cost = NULL, invitation_due_at = NULL`
}

/** What a search looks through. */
const SEARCHED = pick(user, 'username', 'name', 'givenName', 'familyName', 'email')

/** The text of a user that a search looks through: no value has a line break. */
export function searchKey (user: Partial<Row<typeof SEARCHED>>): string {
  // as: the keys are those of its type.
  return (Object.keys(SEARCHED) as Array<keyof typeof SEARCHED>).flatMap(name => foldUsername(user[name] ?? '') || []).join('\n')
}

/** Computes the text for searches again, after a change in the same transaction. */
export function * refreshSearchKey (connection: Connection, id: string): Steps<void> {
  const [found] = yield * queryStep(connection, SEARCHED, sql`SELECT ${raw(columnNames(SEARCHED))} FROM user_account WHERE id = ${id}`)
  if (found !== undefined) yield * executeStep(connection, sql`UPDATE user_account SET search_key = ${searchKey(found)} WHERE id = ${id}`)
}

/** A user: the user name, or the id. */
export type UserKey = string | { readonly id: string }

/** The key in the database: the folded user name, or the id. */
export function keyOf (user: UserKey): string {
  return typeof user === 'string' ? foldUsername(user) : user.id
}

/** SQL condition that a row of `user_account` is that of a user. */
export function isUser (user: UserKey): Sql {
  return typeof user === 'string' ? sql`username_key = ${keyOf(user)}` : sql`user_account.id = ${keyOf(user)}`
}

/** SQL of an email address in ASCII lower case, as its index has it: {@link foldEmail}. SQLite's `lower` folds nothing else. */
export function foldedEmail ({ dialect }: Pick<Connection, 'dialect'>, column = 'email'): string {
  return dialect === 'sqlite' ? `lower(${column})` : `lower(${column} COLLATE "C")`
}

/** An email address as people type it, for comparison: as stored, without surrounding spaces, in ASCII lower case. */
export function foldEmail (typed: string): string {
  return readEmail(typed.trim()).replace(/[A-Z]+/g, letters => letters.toLowerCase())
}

/** Whether a user name could be mistaken for an email address, which sign-in looks up after user names. */
export function resemblesEmail (username: string): boolean {
  return foldUsername(username).includes('@')
}

/** Key of a user name (RFC 8265 §3.3), without compatibility forms, case and surrounding spaces. */
export function foldUsername (username: string): string {
  return username.normalize('NFKC').toLowerCase().trim()
}

import { sql, type Sql } from '@frontdesk/database/sql'
import { columns, pick } from '@frontdesk/database/table'
import { user } from '../../generated/tables.js'
import { accessEpoch } from '../access/live-grant.js'

/** Columns of a user. */
export const USER = {
  ...pick(user, 'id', 'username', 'passwordHash', 'passwordSetAt', 'demo', 'disabledAt', 'createdAt'),
  /** Access epoch: how often the user's access was revoked. */
  epoch: 'int'
} as const

/** SQL list of columns. @param others SQL of those that are not in `user_account` */
export function userColumns<C extends typeof USER> (row: C, others?: Parameters<typeof columns<C>>[2]): string {
  return columns(row, 'user_account', { epoch: accessEpoch('user_account.id', "''"), ...others })
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

/** Key of a user name (RFC 8265 §3.3), without compatibility forms, case and surrounding spaces. */
export function foldUsername (username: string): string {
  return username.normalize('NFKC').toLowerCase().trim()
}

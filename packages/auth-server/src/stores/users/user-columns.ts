import { columns, pick } from '@frontdesk/database/table'
import { user } from '../../generated/tables.js'
import { accessEpoch } from '../access/live-grant.js'

/** Columns of a user. */
export const USER = {
  ...pick(user, 'id', 'username', 'passwordHash', 'demo', 'disabledAt', 'createdAt'),
  /** Access epoch: how often the user's access was revoked. */
  epoch: 'int'
} as const

/** SQL list of columns. @param others SQL of those that are not in `user_account` */
export function userColumns<C extends typeof USER> (row: C, others?: Parameters<typeof columns<C>>[2]): string {
  return columns(row, 'user_account', { epoch: accessEpoch('user_account.id', "''"), ...others })
}

/** Key of a user name (RFC 8265 §3.3), without compatibility forms, case and surrounding spaces. */
export function foldUsername (username: string): string {
  return username.normalize('NFKC').toLowerCase().trim()
}

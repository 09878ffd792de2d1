import { columns, pick } from '@frontdesk/database/table'
import { user } from '../../generated/tables.js'
import { accessEpoch } from '../access/live-grant.js'

/** The columns of a person who can sign in. */
export const COLUMNS = {
  ...pick(user, 'id', 'username', 'passwordHash', 'demo', 'disabledAt', 'createdAt'),
  /** Access epoch: how often the person's access was revoked. */
  epoch: 'int'
} as const

/** SQL list of these and other columns of `user_account`. @param others SQL of those that are no columns of it */
export function userColumns<C extends typeof COLUMNS> (row: C, others?: Parameters<typeof columns<C>>[2]): string {
  return columns(row, 'user_account', { epoch: accessEpoch('user_account.id', "''"), ...others })
}

/** Key of a user name (RFC 8265 §3.3): compatibility forms, case and spaces around it make no other person. */
export function foldUsername (username: string): string {
  return username.normalize('NFKC').toLowerCase().trim()
}

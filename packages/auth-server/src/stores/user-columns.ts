import { columnNames, pick } from '@frontdesk/database/table'
import { user } from '../generated/tables.js'
import { accessEpoch } from './live-grant.js'

const stored = pick(user, 'id', 'username', 'passwordHash', 'demo', 'disabledAt', 'createdAt')

/** The columns of a person who can sign in. */
export const COLUMNS = {
  ...stored,
  /** Access epoch: how often the person's access was revoked. */
  epoch: 'int'
} as const

/** The same in SQL. */
export const columns = `${columnNames(stored)}, ${accessEpoch('user_account.id', "''")}`

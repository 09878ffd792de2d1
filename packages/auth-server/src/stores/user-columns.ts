import { accessEpoch } from './live-grant.js'

/** The columns of a person who can sign in. */
export const COLUMNS = {
  id: 'string',
  username: 'string',
  passwordHash: 'string',
  demo: 'boolean',
  disabledAt: 'datetime?',
  createdAt: 'datetime',
  epoch: 'int'
} as const

/** The same in SQL. */
export const columns = `id, username, password_hash, demo, disabled_at, created_at, ${accessEpoch('user_account.id', "''")}`

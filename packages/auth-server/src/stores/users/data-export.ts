import type { Connection } from '@frontdesk/database/connection'
import type { Columns, Row } from '@frontdesk/database/rows'
import { query, raw, sql } from '@frontdesk/database/sql'
import { columnNames, pick, type Table } from '@frontdesk/database/table'
import {
  accessGrant, appUse, authenticator, clientSession, consent, consoleSession, passkey, recoveryCode, refreshToken, session, signUpCode,
  trustedBrowser, upstreamIdentity, user
} from '../../generated/tables.js'

/** What is exported of a user's rows: nothing that authenticates, and no hash of it. */
const EXPORTED = {
  sessions: part(session, 'userAgent', 'authTime', 'amr', 'lastSeenAt', 'expiresAt'),
  consoleSessions: part(consoleSession, 'authTime', 'amr', 'lastSeenAt', 'expiresAt'),
  authenticators: part(authenticator, 'createdAt', 'lastUsedAt'),
  passkeys: part(passkey, 'name', 'createdAt', 'lastUsedAt'),
  upstreamIdentities: part(upstreamIdentity, 'issuer', 'createdAt', 'lastUsedAt'),
  recoveryCodes: part(recoveryCode, 'createdAt'),
  trustedBrowsers: part(trustedBrowser, 'userAgent', 'createdAt', 'lastUsedAt', 'expiresAt'),
  signUpCodes: part(signUpCode, 'label', 'usesLeft', 'role', 'createdAt', 'expiresAt'),
  consents: part(consent, 'clientId', 'audience', 'scope', 'allowedAt'),
  appUses: part(appUse, 'clientId', 'usedAt'),
  grants: part(accessGrant, 'clientId', 'responseType', 'scope', 'audience', 'createdAt', 'expiresAt', 'revokedAt'),
  refreshTokens: part(refreshToken, 'clientId', 'scope', 'audience', 'authTime', 'amr', 'createdAt', 'expiresAt', 'endsAt'),
  clientSessions: part(clientSession, 'clientId', 'endsAt')
}

function part<C extends Columns> (from: Table<C>, ...fields: Array<keyof C & string>) {
  return { table: from.name, row: pick(from, ...fields) }
}

const ACCOUNT = pick(user, 'firstSignInAt')

/** The rows that are stored about a user, by kind: at most {@link MAX_ROWS} of each. `isComplete`: these are all. */
export interface ExportedRows {
  /** What of the account is not shown elsewhere. */
  readonly account: Row<typeof ACCOUNT>
  readonly rows: { readonly [Kind in keyof typeof EXPORTED]: readonly object[] }
  readonly isComplete: boolean
}

export interface DataExport {
  /** Reads the rows about a user, with or without effect. Codes, which expire within minutes, belong to their grants. */
  exportRows (userId: string): Promise<ExportedRows>
}

const MAX_ROWS = 1_000

export function openDataExport (connection: Connection): DataExport {
  return {
    async exportRows (userId) {
      const kinds = await Promise.all(Object.entries(EXPORTED).map(async ([kind, { table, row }]) => {
        const rows = await query(connection, row, sql`
          SELECT ${raw(columnNames(row))} FROM ${raw(table)} WHERE user_id = ${userId} LIMIT ${raw(String(MAX_ROWS + 1))}`)
        return [kind, rows] as const
      }))
      const [account = { firstSignInAt: null }] = await query(connection, ACCOUNT, sql`
        SELECT first_sign_in_at FROM user_account WHERE id = ${userId}`)
      // as: has a list for each.
      const rows = Object.fromEntries(kinds.map(([kind, rows]) => [kind, rows.slice(0, MAX_ROWS)])) as unknown as ExportedRows['rows']
      return { account, rows, isComplete: kinds.every(([, rows]) => rows.length <= MAX_ROWS) }
    }
  }
}

import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { execute, executeStep, newRow, query, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columns, pick } from '@frontdesk/database/table'
import { trustedBrowser } from '../../generated/tables.js'
import { hasFactorStep } from '../access/enrolled-factors.js'
import { accessEpoch } from '../access/live-grant.js'
import { lockVerified, type VerifiedUser } from './verified-user.js'

/** Maximum trusted browsers of a user. */
export const MAX_TRUSTED_BROWSERS = 20

const LISTED = { id: 'string', ...pick(trustedBrowser, 'userAgent', 'createdAt', 'lastUsedAt', 'expiresAt') } as const

/** A trusted browser. `id`: SHA-256 of its cookie, base64url. It identifies the browser, but does not authenticate. */
export type TrustedBrowser = Row<typeof LISTED>

type NewTrustedBrowser = Pick<TrustedBrowser, 'id' | 'userAgent' | 'createdAt' | 'expiresAt'>

/** The browsers in which users are not asked for a factor. Only hashes of their cookies are stored. */
export interface TrustedBrowsers {
  /**
   * Atomic: trusts a browser. Returns `false`, with nothing changed, if the user has no factor, or the password was changed or access
   * revoked since it was verified. Ends the trust of the least recently used browsers beyond {@link MAX_TRUSTED_BROWSERS}.
   */
  add (user: VerifiedUser, browser: NewTrustedBrowser): Promise<boolean>
  /** Whether a browser is trusted: not expired, and access was not revoked since. Sets its last use. */
  use (userId: string, id: string, now: Date): Promise<boolean>
  /** The trusted browsers of a user, most recently used first. */
  list (userId: string, now: Date): Promise<TrustedBrowser[]>
  /** Ends the trust of a browser. Returns `false` if there is no such browser. */
  end (userId: string, id: string): Promise<boolean>
}

/** Ends the trust of all browsers of a user: what was trusted with a factor must not outlive it. A step of a transaction. */
export function * endTrustStep (connection: Connection, userId: string): Steps<void> {
  yield * executeStep(connection, sql`DELETE FROM trusted_browser WHERE user_id = ${userId}`)
}

export function openTrustedBrowsers (connection: Connection): TrustedBrowsers {
  const isCurrent = raw(`trusted_browser.epoch = ${accessEpoch('trusted_browser.user_id', "''")}`)
  const listed = raw(columns(LISTED, 'trusted_browser', { id: 'trusted_browser.id_hash' }))
  return {
    add: (user, { id: idHash, createdAt, ...browser }) => connection.transact(function * (): Steps<boolean> {
      if (!(yield * lockVerified(connection, user)) || !(yield * hasFactorStep(connection, user.id))) return false
      const row = { ...browser, idHash, userId: user.id, epoch: user.epoch, createdAt, lastUsedAt: createdAt }
      yield * executeStep(connection, sql`INSERT INTO trusted_browser ${newRow(trustedBrowser.columns, row)}`)
      yield * executeStep(connection, sql`
        DELETE FROM trusted_browser WHERE user_id = ${user.id} AND id_hash NOT IN (
          SELECT id_hash FROM trusted_browser WHERE user_id = ${user.id}
          ORDER BY last_used_at DESC, id_hash LIMIT ${MAX_TRUSTED_BROWSERS})`)
      return true
    }),
    use: async (userId, id, now) => await execute(connection, sql`
      UPDATE trusted_browser SET last_used_at = ${now}
      WHERE id_hash = ${id} AND user_id = ${userId} AND expires_at > ${now} AND ${isCurrent}`) === 1,
    list: (userId, now) => query(connection, LISTED, sql`
      SELECT ${listed} FROM trusted_browser WHERE user_id = ${userId} AND expires_at > ${now} AND ${isCurrent}
      ORDER BY last_used_at DESC, id_hash LIMIT ${MAX_TRUSTED_BROWSERS}`),
    end: async (userId, id) => await execute(connection, sql`
      DELETE FROM trusted_browser WHERE user_id = ${userId} AND id_hash = ${id}`) === 1
  }
}

import type { Connection } from '@frontdesk/database/connection'
import { execute, executeStep, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columns, pick } from '@frontdesk/database/table'
import { authorizationCode, consoleSession } from '../../generated/tables.js'
import { after, CONSOLE_IDLE_TTL, CONSOLE_SESSION_TTL } from '../../lifetimes.js'
import type { Authentication } from '../../oauth/authentication.js'
import { CONSOLE_ID } from '../../oauth/console-client.js'
import { accessEpoch, grantEpoch, liveGrant } from '../access/live-grant.js'

/** A browser that is signed in to the console. */
export interface ConsoleSession extends Authentication {
  /** SHA-256 of the cookie, base64url. */
  readonly id: string
  readonly userId: string
  readonly username: string
  /** When the console was last used, to within a minute. */
  readonly lastSeen: Date
}

/** Opens the sessions of the console. Only hashes of their ids are stored. */
export function openConsoleSessions (connection: Connection) {
  const row = { id: 'string', username: 'string', lastSeen: 'datetime', ...pick(consoleSession, 'userId', 'authTime', 'amr') } as const
  const listed = raw(columns(row, 'console_session', {
    id: 'console_session.id_hash', username: 'user_account.username', lastSeen: 'console_session.last_seen_at'
  }))
  const isCurrent = raw(`console_session.epoch = ${grantEpoch('console_session.user_id', `'${CONSOLE_ID}'`)}`)
  const isSessionCurrent = raw(`session.epoch = ${accessEpoch('session.user_id', "''")}`)
  /** The live browser session, which the console's session ends with. */
  const browserSession = (userId: Sql, sid: Sql, now: Date) => sql`
    session WHERE session.user_id = ${userId} AND session.sid = ${sid} AND session.expires_at > ${now} AND ${isSessionCurrent}`
  return {
    /**
     * Atomic: spends an authorization code and starts a session. Exactly one concurrent caller with a code succeeds. Returns how
     * the user signed in (`amr`); `null` if the code is expired, spent or bound to another challenge, or access was revoked or the browser
     * signed out since it was issued.
     */
    start: (
      { codeHash, codeChallenge, idHash }: { readonly codeHash: string, readonly codeChallenge: string, readonly idHash: string }, now: Date
    ) => connection.transact(function * (): Steps<string | null> {
      const [code] = yield * queryStep(connection, pick(authorizationCode, 'grantId', 'sid', 'authTime', 'amr'), sql`
        UPDATE authorization_code SET spent_at = ${now}
        WHERE hash = ${codeHash} AND client_id = ${CONSOLE_ID} AND code_challenge = ${codeChallenge} AND spent_at IS NULL
          AND expires_at > ${now} RETURNING grant_id, sid, auth_time, amr`)
      if (code === undefined) return null
      // The session takes the place of the grant, which has no tokens.
      const [grant] = yield * queryStep(connection, { userId: 'string', epoch: 'int' }, sql`
        UPDATE access_grant SET revoked_at = ${now}
        WHERE id = ${code.grantId} AND ${raw(liveGrant('access_grant'))} RETURNING user_id, epoch`)
      if (grant === undefined) return null
      const expiresAt = after(code.authTime, CONSOLE_SESSION_TTL)
      // The epoch of the grant: access that was revoked since it was issued ends the session, too.
      const added = yield * executeStep(connection, sql`
        INSERT INTO console_session (id_hash, user_id, sid, epoch, auth_time, amr, last_seen_at, expires_at)
        SELECT ${idHash}, session.user_id, session.sid, ${grant.epoch}, ${code.authTime}, ${code.amr}, ${now}, ${expiresAt}
        FROM ${browserSession(sql`${grant.userId}`, sql`${code.sid}`, now)} LIMIT 1`)
      return added === 1 ? code.amr : null
    }),
    /**
     * The session; `null` if it has expired or been idle for too long, its browser session has ended, the user is disabled, or access was
     * revoked since.
     */
    async find (idHash: string, now: Date): Promise<ConsoleSession | null> {
      const idleSince = after(now, -CONSOLE_IDLE_TTL)
      const [found] = await query(connection, row, sql`
        SELECT ${listed} FROM console_session JOIN user_account ON user_account.id = console_session.user_id
        WHERE console_session.id_hash = ${idHash} AND console_session.expires_at > ${now}
          AND console_session.last_seen_at > ${idleSince} AND user_account.disabled_at IS NULL AND ${isCurrent}
          AND EXISTS (SELECT 1 FROM ${browserSession(raw('console_session.user_id'), raw('console_session.sid'), now)})`)
      return found ?? null
    },
    /** Records that the console is used. */
    async see (idHash: string, now: Date): Promise<void> {
      await execute(connection, sql`UPDATE console_session SET last_seen_at = ${now} WHERE id_hash = ${idHash} AND last_seen_at < ${now}`)
    },
    async end (idHash: string): Promise<void> { await execute(connection, sql`DELETE FROM console_session WHERE id_hash = ${idHash}`) }
  }
}

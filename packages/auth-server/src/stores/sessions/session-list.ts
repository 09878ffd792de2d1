import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { query, queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columns, pick } from '@frontdesk/database/table'
import { session } from '../../generated/tables.js'
import type { Authentication } from '../../oauth/authentication.js'
import { createClientSessionEnd } from '../access/client-session-end.js'
import { accessEpoch } from '../access/live-grant.js'

/** A signed-in browser. */
export interface Session extends Authentication {
  /** SHA-256 of the session cookie, base64url. Identifies the session, but does not authenticate. */
  readonly id: string
  /** `sid` of its ID tokens (OpenID Connect Back-Channel Logout §2.1), which stays the same when the user signs in again. */
  readonly sid: string
  readonly userId: string
  readonly username: string
  /** When the browser was last seen, to within some minutes. */
  readonly lastSeen: Date
}

/** A session as the account page shows it. */
export interface SessionEntry extends Pick<Session, 'id' | 'authTime' | 'lastSeen'> {
  /** `User-Agent` of the browser at sign-in; `null` if unknown. */
  readonly userAgent: string | null
}

export interface SessionList {
  /** A user's sessions, most recently seen first: at most 50, and whether there are more. */
  list (userId: string, now: Date): Promise<{ sessions: SessionEntry[], more: boolean }>
  /** Atomic: ends a user's session, and its client sessions. Returns `false` if there is no such session. */
  end (userId: string, id: string): Promise<boolean>
  /** Sets the time when the browser was last seen, unless it was set after `before`. Concurrent calls share a statement. */
  see (id: string, now: Date, before: Date): Promise<void>
}

const MAX_SESSIONS = 50

export function openSessionList (connection: Connection): SessionList {
  const row = { id: 'string', ...pick(session, 'authTime', 'userAgent'), lastSeen: 'datetime' } as const
  const isCurrent = raw(`epoch = ${accessEpoch('session.user_id', "''")}`)
  const sightings = sightingBatch(connection)
  const clientSessionEnd = createClientSessionEnd(connection)
  return {
    async list (userId, now) {
      const sessions = await query(connection, row, sql`
        SELECT ${raw(columns(row, 'session', { id: 'id_hash', lastSeen: 'last_seen_at' }))} FROM session
        WHERE user_id = ${userId} AND expires_at > ${now} AND ${isCurrent}
        ORDER BY last_seen_at DESC, id_hash LIMIT ${MAX_SESSIONS + 1}`)
      return { sessions: sessions.slice(0, MAX_SESSIONS), more: sessions.length > MAX_SESSIONS }
    },
    end: (userId, id) => connection.transact(function * (): Steps<boolean> {
      const [ended] = yield * queryStep(connection, { sid: 'string' }, sql`
        DELETE FROM session WHERE user_id = ${userId} AND id_hash = ${id} RETURNING sid`)
      if (ended !== undefined) yield * clientSessionEnd.bySid([ended])
      return ended !== undefined
    }),
    async see (id, now, before) { await sightings.run({ id, now, before }) }
  }
}

function sightingBatch (connection: Connection): Batcher<{ id: string, now: Date, before: Date }, true> {
  const statement = listStatement(connection, {
    entry: { id: 'string', now: 'datetime', before: 'datetime' },
    sql: entries => `
      WITH entry AS (SELECT * FROM ${entries})
      UPDATE session SET last_seen_at = (SELECT MAX(entry.now) FROM entry WHERE entry.id = id_hash)
      WHERE id_hash IN (SELECT entry.id FROM entry WHERE session.last_seen_at < entry.before)`
  })
  return new Batcher(async sightings => {
    await statement.run(sightings)
    return sightings.map(() => true as const)
  }, connection)
}

import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { createClientSessionEnd } from './client-session-end.js'
import { accessEpoch } from './live-grant.js'

/** A signed-in browser. */
export interface Session {
  /** SHA-256 of the session cookie, base64url. Identifies the session, but does not authenticate. */
  readonly id: string
  /** `sid` of its ID tokens (OpenID Connect Back-Channel Logout §2.1): stays the same when the person signs in again. */
  readonly sid: string
  readonly userId: string
  readonly username: string
  /** When the person entered the password. */
  readonly authTime: Date
  /** When the browser was last seen, to within some minutes. */
  readonly lastSeen: Date
}

/** A session on the account page. */
export interface SessionEntry extends Pick<Session, 'id' | 'authTime' | 'lastSeen'> {
  /** `User-Agent` of the browser at sign-in; `null` if unknown. */
  readonly userAgent: string | null
}

/** Lists and ends the sessions of a person. */
export interface SessionList {
  /** The sessions of a person, most recently seen first: at most 50, and whether there are more. */
  list (userId: string, now: Date): Promise<{ sessions: SessionEntry[], more: boolean }>
  /** Atomic: ends a session of the person, and the sessions at apps that belong to it. Returns `false` if there is no such session. */
  end (userId: string, id: string): Promise<boolean>
  /** Sets the time when the browser was last seen, unless it was set after `before`. Concurrent calls share a statement. */
  see (id: string, now: Date, before: Date): Promise<void>
}

/** Sessions that are listed. */
const MAX_SESSIONS = 50

/** {@link SessionList} in a database. */
export function openSessionList (connection: Connection): SessionList {
  const reads = new ValuesStatement(connection, entry => `
    SELECT id_hash, auth_time, last_seen_at, user_agent FROM session JOIN (${entry}) AS entry ON user_id = column1
    WHERE expires_at > column2 AND session.epoch = ${accessEpoch('session.user_id', "''")}
    ORDER BY last_seen_at DESC, id_hash LIMIT ${MAX_SESSIONS + 1}`, ['string', 'datetime'],
  { id: 'string', authTime: 'datetime', lastSeen: 'datetime', userAgent: 'string?' })
  const sightings = recordSightings(connection)
  const clientSessionEnd = createClientSessionEnd(connection)
  return {
    async list (userId, now) {
      const sessions = await reads.run([[userId, now]])
      return { sessions: sessions.slice(0, MAX_SESSIONS), more: sessions.length > MAX_SESSIONS }
    },
    end: (userId, id) => connection.transact(function * (): Steps<boolean> {
      const [ended] = yield * queryStep(connection, { sid: 'string' }, sql`
        DELETE FROM session WHERE user_id = ${userId} AND id_hash = ${id} RETURNING sid`)
      if (ended !== undefined) yield * clientSessionEnd.bySid(ended.sid)
      return ended !== undefined
    }),
    async see (id, now, before) { await sightings.ask({ id, now, before }) }
  }
}

/** Records sightings in batches. */
function recordSightings (connection: Connection): Batch<{ id: string, now: Date, before: Date }, true> {
  const statement = new ValuesStatement(connection, list => `
    WITH entry (id, seen_at, before) AS (${list})
    UPDATE session SET last_seen_at = (SELECT MAX(seen_at) FROM entry WHERE id = id_hash)
    WHERE id_hash IN (SELECT id FROM entry WHERE session.last_seen_at < before) RETURNING id_hash`,
  ['string', 'datetime', 'datetime'])
  return new Batch(async sightings => {
    await statement.run(sightings.map(({ id, now, before }) => [id, now, before]))
    return sightings.map(() => true as const)
  }, connection)
}

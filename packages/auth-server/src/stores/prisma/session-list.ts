import type { Sessions } from '../sessions.js'
import type { Database } from './database.js'
import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { accessEpoch } from './live-grant.js'

/** Sessions that are listed. */
const MAX_SESSIONS = 50

/** The sessions of a person as a list, and when each was last seen. */
export function openSessionList (database: Database, connection: Connection): Pick<Sessions, 'list' | 'end' | 'see'> {
  const reads = new ValuesStatement(connection, entry => `
    SELECT id_hash, auth_time, COALESCE(last_seen_at, auth_time) AS last_seen, user_agent FROM session JOIN (${entry}) AS entry ON user_id = column1
    WHERE expires_at > column2 AND session.epoch = ${accessEpoch('session.user_id', "''")}
    ORDER BY last_seen DESC, id_hash LIMIT ${MAX_SESSIONS + 1}`, ['string', 'datetime'])
  const sightings = recordSightings(connection)
  return {
    async list (userId, now) {
      // as: these columns; the driver gives times as text.
      const rows = await reads.run([[userId, now]]) as Array<[string, string, string, string | null]>
      const sessions = rows.map(([id, authTime, lastSeen, userAgent]) => ({ id, authTime: new Date(authTime), lastSeen: new Date(lastSeen), userAgent }))
      return { sessions: sessions.slice(0, MAX_SESSIONS), more: sessions.length > MAX_SESSIONS }
    },
    async end (userId, id) {
      return (await database.session.deleteMany({ where: { userId, idHash: id } })).count === 1
    },
    async see (id, now, before) { await sightings.ask({ id, now, before }) }
  }
}

/** Records sightings, unless there is a later one. */
function recordSightings (connection: Connection): Batch<{ id: string, now: Date, before: Date }, true> {
  const statement = new ValuesStatement(connection, list => `
    WITH entry (id, seen_at, before) AS (${list})
    UPDATE session SET last_seen_at = (SELECT MAX(seen_at) FROM entry WHERE id = id_hash)
    WHERE id_hash IN (SELECT id FROM entry WHERE COALESCE(session.last_seen_at, session.auth_time) < before) RETURNING id_hash`, ['string', 'datetime', 'datetime'])
  return new Batch(async sightings => {
    await statement.run(sightings.map(({ id, now, before }) => [id, now, before]))
    return sightings.map(() => true as const)
  }, connection)
}

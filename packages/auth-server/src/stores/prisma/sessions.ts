import type { FoundSession, NewSession, Sessions } from '../sessions.js'
import type { Database } from './database.js'
import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { accessEpoch, grantEpoch } from './live-grant.js'
import { openSessionList } from './session-list.js'

/** {@link Sessions} in a database. Those that are looked up at once share a query. */
export function openSessions (database: Database, connection: Connection): Sessions {
  const reads = readSessions(connection)
  const additions = addSessions(connection)
  return {
    ...openSessionList(database, connection),
    async find (idHash, now, clientId = '') {
      const session = await reads.ask({ idHash, clientId })
      return session === null || session.expiresAt <= now ? null : session
    },
    add: session => additions.ask(session),
    async remove (idHash) {
      const [session] = await database.$queryRaw<Array<{ user_id: string }>>`DELETE FROM session WHERE id_hash = ${idHash} RETURNING user_id`
      return session?.user_id ?? null
    },
    async sweep (now, limit) {
      return (await database.session.deleteMany({ where: { expiresAt: { lte: now } }, limit })).count
    }
  }
}

/** Begins sessions; answers whether the verified password and the epoch read with it were still current. */
function addSessions (connection: Connection): Batch<NewSession, boolean> {
  // Checking first and adding after would let in who verified a password while it was changed.
  const statement = new ValuesStatement(connection, list => `
    WITH entry (id_hash, user_id, password_hash, epoch, auth_time, expires_at, user_agent) AS (${list})
    INSERT INTO session (id_hash, user_id, auth_time, expires_at, epoch, user_agent)
    SELECT id_hash, user_id, auth_time, expires_at, epoch, user_agent FROM entry
    WHERE EXISTS (SELECT 1 FROM user_account WHERE id = entry.user_id AND password_hash = entry.password_hash AND disabled_at IS NULL)
      AND epoch = ${accessEpoch('entry.user_id', "''")}
    ON CONFLICT DO NOTHING RETURNING id_hash`, ['string', 'string', 'string', 'int', 'datetime', 'datetime', 'string'])
  return new Batch(async sessions => {
    const rows = sessions.map(({ idHash, user, authTime, expiresAt, userAgent = null }) => [idHash, user.id, user.passwordHash, user.epoch, authTime, expiresAt, userAgent] as const)
    const added = new Set((await statement.run(rows)).map(([idHash]) => idHash))
    return sessions.map(({ idHash }) => added.has(idHash))
  }, connection)
}

/** Finds live sessions. */
function readSessions (connection: Connection): Batch<{ idHash: string, clientId: string }, FoundSession & { expiresAt: Date } | null> {
  const statement = new ValuesStatement(connection, list => `
    SELECT id_hash, column2, user_id, username, auth_time, expires_at, COALESCE(last_seen_at, auth_time), ${grantEpoch('session.user_id', 'column2')}
    FROM (${list}) AS asked JOIN session ON id_hash = column1 JOIN user_account ON user_account.id = user_id
    WHERE disabled_at IS NULL AND epoch = ${accessEpoch('session.user_id', "''")}`, ['string', 'string'])
  return new Batch(async asked => {
    // as: these columns; the driver gives times as text.
    const rows = await statement.run(asked.map(({ idHash, clientId }) => [idHash, clientId])) as Array<[string, string, string, string, string, string, string, number]>
    const found = new Map(rows.map(([id, clientId, userId, username, authTime, expiresAt, lastSeen, epoch]) =>
      [`${id} ${clientId}`, { id, userId, username, authTime: new Date(authTime), expiresAt: new Date(expiresAt), lastSeen: new Date(lastSeen), epoch }]))
    return asked.map(({ idHash, clientId }) => found.get(`${idHash} ${clientId}`) ?? null)
  }, connection)
}

import type { Session, Sessions } from '../sessions.js'
import type { Database } from './database.js'
import { Batch } from './generated/database/batch.js'
import type { Connection } from './generated/database/connect.js'
import { ListStatement } from './generated/database/list-statement.js'

/** {@link Sessions} in a database. Those that are looked up at once share a query. */
export function openSessions (database: Database, connection: Connection): Sessions {
  const reads = readSessions(connection)
  const additions = addSessions(connection)
  return {
    async find (idHash, now) {
      const session = await reads.ask(idHash)
      return session === null || session.expiresAt <= now ? null : session
    },
    async add (session) { await additions.ask(session) },
    async remove (idHash) {
      const [session] = await database.$queryRaw<Array<{ user_id: string }>>`DELETE FROM session WHERE id_hash = ${idHash} RETURNING user_id`
      return session?.user_id ?? null
    },
    async removeAll (userId) {
      await database.session.deleteMany({ where: { userId } })
    },
    async sweep (now, limit) {
      return (await database.session.deleteMany({ where: { expiresAt: { lte: now } }, limit })).count
    }
  }
}

type NewSession = Parameters<Sessions['add']>[0]

/** Adds sessions. */
function addSessions (connection: Connection): Batch<NewSession, true> {
  const statement = new ListStatement(connection, list => `
    INSERT INTO session (id_hash, user_id, auth_time, expires_at) ${list} ON CONFLICT DO NOTHING RETURNING id_hash`, ['string', 'string', 'datetime', 'datetime'])
  return new Batch(async sessions => {
    await statement.run(sessions.map(({ idHash, userId, authTime, expiresAt }) => [idHash, userId, authTime, expiresAt]))
    return sessions.map(() => true as const)
  }, connection)
}

/** Finds sessions of people who are not disabled. */
function readSessions (connection: Connection): Batch<string, Session & { expiresAt: Date } | null> {
  const statement = new ListStatement(connection, list => `
    SELECT id_hash, user_id, username, auth_time, expires_at FROM session JOIN user_account ON user_account.id = user_id
    WHERE id_hash IN (${list}) AND disabled_at IS NULL`, ['string'])
  return new Batch(async idHashes => {
    // as: these columns; the driver gives times as text.
    const rows = await statement.run(idHashes.map(idHash => [idHash])) as Array<[string, string, string, string, string]>
    const found = new Map(rows.map(([idHash, userId, username, authTime, expiresAt]) =>
      [idHash, { userId, username, authTime: new Date(authTime), expiresAt: new Date(expiresAt) }]))
    return idHashes.map(idHash => found.get(idHash) ?? null)
  }, connection)
}

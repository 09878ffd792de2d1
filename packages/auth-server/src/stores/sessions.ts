import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import type { Database } from './database.js'
import { accessEpoch, grantEpoch } from './live-grant.js'
import { openSessionList, type Session, type SessionList } from './session-list.js'
import type { User } from './users.js'

/** A session, as a request of a client finds it. */
export interface FoundSession extends Session {
  /** Sum of the access epochs of the person, the client and the person at the client: what is given rests on it. */
  readonly epoch: number
}

/** A session that a verified password begins. */
export interface NewSession {
  /** SHA-256 of the session id, base64url. */
  readonly idHash: string
  /** As read for the verification. */
  readonly user: Pick<User, 'id' | 'passwordHash' | 'epoch'>
  readonly authTime: Date
  readonly expiresAt: Date
  /** `User-Agent` of the browser; `null` if it sent none. */
  readonly userAgent?: string | null
}

/** The browsers in which somebody is signed in. Only hashes of session ids are stored. */
export interface Sessions extends SessionList {
  /** The session, unless it has ended, or the person is disabled or their access has ended since. */
  find (idHash: string, now: Date, clientId?: string): Promise<FoundSession | null>
  /**
   * Begins a session in one statement; `false`, with nothing begun, if the verified password is no longer the current one,
   * the person's access has ended since it was read, or the person is disabled or removed.
   */
  add (session: NewSession): Promise<boolean>
  /** Ends a session; says whose it was, `null` if there was none. Of any number of callers at once one is told. */
  remove (idHash: string): Promise<string | null>
  /** Removes up to `limit` sessions that have ended; says how many. */
  sweep (now: Date, limit: number): Promise<number>
}

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
    ON CONFLICT DO NOTHING RETURNING id_hash`, ['string', 'string', 'string', 'int', 'datetime', 'datetime', 'string'], { idHash: 'string' })
  return new Batch(async sessions => {
    const rows = sessions.map(({ idHash, user, authTime, expiresAt, userAgent = null }) => [idHash, user.id, user.passwordHash, user.epoch, authTime, expiresAt, userAgent] as const)
    const added = new Set((await statement.run(rows)).map(({ idHash }) => idHash))
    return sessions.map(({ idHash }) => added.has(idHash))
  }, connection)
}

/** Finds live sessions. */
function readSessions (connection: Connection): Batch<{ idHash: string, clientId: string }, FoundSession & { expiresAt: Date } | null> {
  const statement = new ValuesStatement(connection, list => `
    SELECT id_hash, column2, user_id, username, auth_time, expires_at, COALESCE(last_seen_at, auth_time), ${grantEpoch('session.user_id', 'column2')}
    FROM (${list}) AS asked JOIN session ON id_hash = column1 JOIN user_account ON user_account.id = user_id
    WHERE disabled_at IS NULL AND epoch = ${accessEpoch('session.user_id', "''")}`, ['string', 'string'],
  { id: 'string', clientId: 'string', userId: 'string', username: 'string', authTime: 'datetime', expiresAt: 'datetime', lastSeen: 'datetime', epoch: 'int' })
  return new Batch(async asked => {
    const rows = await statement.run(asked.map(({ idHash, clientId }) => [idHash, clientId]))
    const found = new Map(rows.map(({ clientId, ...session }) => [`${session.id} ${clientId}`, session]))
    return asked.map(({ idHash, clientId }) => found.get(`${idHash} ${clientId}`) ?? null)
  }, connection)
}

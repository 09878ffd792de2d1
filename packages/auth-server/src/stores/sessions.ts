import { Batch } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { lockingList } from '@frontdesk/database/lock-order'
import { queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { ValuesStatement } from '@frontdesk/database/values-statement'
import { createClientSessionEnd } from './client-session-end.js'
import { accessEpoch, grantEpoch, withheld } from './live-grant.js'
import { openSessionList, type Session, type SessionList } from './session-list.js'
import { sweepRows } from './sweep.js'
import type { User } from './users.js'

/** How many sessions of a person are kept. */
export const MAX_USER_SESSIONS = 100

/** A session with the epoch for a client. */
export interface FoundSession extends Session {
  /** Sum of the access epochs of the person, the client, and the person at the client: grants record it. */
  readonly epoch: number
  /** Scopes that the user cannot grant, space-separated; `null`: none. */
  readonly withheld: string | null
}

/** A session to start, after a password was verified. */
export interface NewSession {
  /** SHA-256 of the session id, base64url. */
  readonly idHash: string
  /** The person as read for the verification. */
  readonly user: Pick<User, 'id' | 'passwordHash' | 'epoch'>
  readonly authTime: Date
  readonly expiresAt: Date
  /** `User-Agent` of the browser; `null` if it sent none. */
  readonly userAgent?: string | null
  /** `sid` of the session before it, if the same person signs in again; `null`: its own. */
  readonly sid?: string | null
}

/** The sessions of signed-in browsers. Only hashes of session ids are stored. */
export interface Sessions extends SessionList {
  /** The session; `null` if it has expired or was revoked, the user is disabled, or their access was revoked since. */
  find (idHash: string, now: Date, clientId?: string): Promise<FoundSession | null>
  /**
   * Atomic: starts a session only if the verified password is still the current one, the person's access was not revoked
   * since it was read, and the person is neither disabled nor removed. Else returns `false`. Beyond {@link MAX_USER_SESSIONS} of the
   * person, the least recently seen ones end (LRU), and the sessions at apps that belong to them.
   */
  add (session: NewSession): Promise<boolean>
  /**
   * Atomic: ends a session, and the sessions at apps that belong to it. Returns its person to exactly one concurrent caller;
   * `null` to every other.
   * @param successor id of the person who signs in again: sessions of this person at apps stay, for the next session
   */
  remove (idHash: string, successor?: string): Promise<Pick<Session, 'userId' | 'sid'> | null>
  /** Removes up to `limit` expired sessions. Returns how many. */
  sweep (now: Date, limit: number): Promise<number>
}

/** {@link Sessions} in a database. Concurrent lookups share a query. */
export function openSessions (connection: Connection): Sessions {
  const reads = readSessions(connection)
  const additions = addSessions(connection)
  const clientSessionEnd = createClientSessionEnd(connection)
  return {
    ...openSessionList(connection),
    async find (idHash, now, clientId = '') {
      const session = await reads.ask({ idHash, clientId })
      return session === null || session.expiresAt <= now ? null : session
    },
    add: session => additions.ask(session),
    remove: (idHash, successor) => connection.transact(function * (): Steps<Pick<Session, 'userId' | 'sid'> | null> {
      const [session] = yield * queryStep(connection, { userId: 'string', sid: 'string' }, sql`
        DELETE FROM session WHERE id_hash = ${idHash} RETURNING user_id, sid`)
      if (session === undefined) return null
      if (session.userId !== successor) yield * clientSessionEnd.bySid(session.sid)
      return session
    }),
    sweep: (now, limit) => sweepRows(connection, { table: 'session', key: 'id_hash', where: sql`expires_at <= ${now}` }, limit)
  }
}

/** Starts sessions in batches, each in a transaction. */
function addSessions (connection: Connection): Batch<NewSession, boolean> {
  const clientSessionEnd = createClientSessionEnd(connection)
  // One statement: a check before the insert is a race with a change of password. It locks the people: the next one counts all.
  const statement = new ValuesStatement(connection, list => `
    WITH entry (id_hash, user_id, password_hash, epoch, auth_time, expires_at, user_agent, sid)
      AS (${lockingList(connection, list, { table: 'user_account', key: 'id', on: 'user_account.id = column2' })})
    INSERT INTO session (id_hash, user_id, sid, epoch, user_agent, auth_time, last_seen_at, expires_at)
    SELECT id_hash, user_id, sid, epoch, user_agent, auth_time, auth_time, expires_at FROM entry
    WHERE EXISTS (SELECT 1 FROM user_account WHERE id = entry.user_id AND password_hash = entry.password_hash AND disabled_at IS NULL)
      AND epoch = ${accessEpoch('entry.user_id', "''")}
    ON CONFLICT DO NOTHING RETURNING id_hash`, [
    'string', 'string', 'string', 'int', 'datetime', 'datetime', 'string', 'string'
  ], { idHash: 'string' })
  const surplus = new ValuesStatement(connection, list => `
    DELETE FROM session WHERE id_hash IN (SELECT id_hash FROM (
      SELECT id_hash, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY last_seen_at DESC, id_hash) AS place
      FROM session WHERE user_id IN (${list})
    ) AS ranked WHERE place > ${MAX_USER_SESSIONS}) RETURNING sid`, ['string'], { sid: 'string' })
  return new Batch(async (sessions, mode) => {
    const rows = sessions.map(({ idHash, user, authTime, expiresAt, userAgent = null, sid }) => [
      idHash, user.id, user.passwordHash, user.epoch, authTime, expiresAt, userAgent, sid ?? idHash
    ] as const)
    const added = await connection.transact(function * (): Steps<Set<string>> {
      const started = yield * statement.step(rows)
      const ended = started.length === 0 ? [] : yield * surplus.step([...new Set(sessions.map(({ user }) => user.id))].map(id => [id]))
      if (ended.length > 0) yield * clientSessionEnd.bySid(...ended.map(({ sid }) => sid))
      return new Set(started.map(({ idHash }) => idHash))
    }, mode)
    return sessions.map(({ idHash }) => added.has(idHash))
  }, connection)
}

/** Finds live sessions in batches. */
function readSessions (connection: Connection): Batch<{ idHash: string, clientId: string }, FoundSession & { expiresAt: Date } | null> {
  const statement = new ValuesStatement(connection, list => `
    SELECT id_hash, sid, column2, user_id, username, auth_time, expires_at, last_seen_at,
      ${grantEpoch('session.user_id', 'column2')}, ${withheld('session.user_id')}
    FROM (${list}) AS asked JOIN session ON id_hash = column1 JOIN user_account ON user_account.id = user_id
    WHERE disabled_at IS NULL AND epoch = ${accessEpoch('session.user_id', "''")}`, ['string', 'string'],
  {
    id: 'string',
    sid: 'string',
    clientId: 'string',
    userId: 'string',
    username: 'string',
    authTime: 'datetime',
    expiresAt: 'datetime',
    lastSeen: 'datetime',
    epoch: 'int',
    withheld: 'string?'
  })
  return new Batch(async asked => {
    const rows = await statement.run(asked.map(({ idHash, clientId }) => [idHash, clientId]))
    const found = new Map(rows.map(({ clientId, ...session }) => [`${session.id} ${clientId}`, session]))
    return asked.map(({ idHash, clientId }) => found.get(`${idHash} ${clientId}`) ?? null)
  }, connection)
}

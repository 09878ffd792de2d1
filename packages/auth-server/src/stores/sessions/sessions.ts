import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockRows } from '@frontdesk/database/lock-order'
import { queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columns, pick } from '@frontdesk/database/table'
import { session } from '../../generated/tables.js'
import { createClientSessionEnd } from '../access/client-session-end.js'
import { accessEpoch, grantEpoch, withheld } from '../access/live-grant.js'
import { openSessionList, type Session, type SessionList } from './session-list.js'
import type { User } from '../users/users.js'

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
interface NewSession {
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
}

/** {@link Sessions} in a database. Concurrent lookups share a query. */
export function openSessions (connection: Connection): Sessions {
  const reads = readSessions(connection)
  const additions = addSessions(connection)
  const clientSessionEnd = createClientSessionEnd(connection)
  return {
    ...openSessionList(connection),
    async find (idHash, now, clientId = '') {
      const session = await reads.run({ idHash, clientId })
      return session === null || session.expiresAt <= now ? null : session
    },
    add: session => additions.run(session),
    remove: (idHash, successor) => connection.transact(function * (): Steps<Pick<Session, 'userId' | 'sid'> | null> {
      const [session] = yield * queryStep(connection, { userId: 'string', sid: 'string' }, sql`
        DELETE FROM session WHERE id_hash = ${idHash} RETURNING user_id, sid`)
      if (session === undefined) return null
      if (session.userId !== successor) yield * clientSessionEnd.bySid(session.sid)
      return session
    })
  }
}

/** Starts sessions in batches, each in a transaction. */
function addSessions (connection: Connection): Batcher<NewSession, boolean> {
  const clientSessionEnd = createClientSessionEnd(connection)
  // One statement: a check before the insert is a race with a change of password. It locks the people: the next one counts all.
  const people = { table: 'user_account', key: 'id', on: 'user_account.id = entry.user_id' }
  const statement = listStatement(connection, {
    entry: { ...pick(session, 'idHash', 'userId', 'sid', 'epoch', 'userAgent', 'authTime', 'expiresAt'), passwordHash: 'string' },
    sql: entries => `
      WITH entry AS (SELECT * FROM ${lockRows(connection, entries, people)})
      INSERT INTO session (id_hash, user_id, sid, epoch, user_agent, auth_time, last_seen_at, expires_at)
      SELECT id_hash, user_id, sid, epoch, user_agent, auth_time, auth_time, expires_at FROM entry
      WHERE EXISTS (SELECT 1 FROM user_account WHERE id = entry.user_id AND password_hash = entry.password_hash AND disabled_at IS NULL)
        AND epoch = ${accessEpoch('entry.user_id', "''")}
      ON CONFLICT DO NOTHING RETURNING id_hash`,
    row: { idHash: 'string' }
  })
  const surplus = listStatement(connection, {
    entry: { userId: 'string' },
    sql: entries => `
      DELETE FROM session WHERE id_hash IN (SELECT id_hash FROM (
        SELECT id_hash, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY last_seen_at DESC, id_hash) AS place
        FROM session WHERE user_id IN (SELECT entry.user_id FROM ${entries})
      ) AS ranked WHERE place > ${MAX_USER_SESSIONS}) RETURNING sid`,
    row: { sid: 'string' }
  })
  return new Batcher(async (sessions, mode) => {
    const entries = sessions.map(({ user: { id: userId, passwordHash, epoch }, userAgent = null, sid, ...session }) =>
      ({ ...session, userId, passwordHash, epoch, userAgent, sid: sid ?? session.idHash }))
    const added = await connection.transact(function * (): Steps<Set<string>> {
      const started = yield * statement.step(entries)
      const people = new Set(started.length === 0 ? [] : entries.map(({ userId }) => userId))
      const ended = yield * surplus.step([...people].map(userId => ({ userId })))
      if (ended.length > 0) yield * clientSessionEnd.bySid(...ended.map(({ sid }) => sid))
      return new Set(started.map(({ idHash }) => idHash))
    }, mode)
    return sessions.map(({ idHash }) => added.has(idHash))
  }, connection)
}

/** Finds live sessions in batches. */
function readSessions (connection: Connection): Batcher<{ idHash: string, clientId: string }, FoundSession & { expiresAt: Date } | null> {
  const row = {
    ...pick(session, 'sid', 'userId', 'authTime', 'expiresAt'),
    id: 'string',
    username: 'string',
    lastSeen: 'datetime',
    clientId: 'string',
    epoch: 'int',
    withheld: 'string?'
  } as const
  const statement = listStatement(connection, {
    entry: { ...pick(session, 'idHash'), clientId: 'string' },
    sql: entries => `
      SELECT ${columns(row, 'session', {
        id: 'session.id_hash',
        username: 'user_account.username',
        lastSeen: 'session.last_seen_at',
        clientId: 'entry.client_id',
        epoch: grantEpoch('session.user_id', 'entry.client_id'),
        withheld: withheld('session.user_id')
      })}
      FROM ${entries} JOIN session ON session.id_hash = entry.id_hash JOIN user_account ON user_account.id = session.user_id
      WHERE disabled_at IS NULL AND session.epoch = ${accessEpoch('session.user_id', "''")}`,
    row
  })
  return new Batcher(async asked => {
    const rows = await statement.run(asked)
    const found = new Map(rows.map(({ clientId, ...session }) => [`${session.id} ${clientId}`, session]))
    return asked.map(({ idHash, clientId }) => found.get(`${idHash} ${clientId}`) ?? null)
  }, connection)
}

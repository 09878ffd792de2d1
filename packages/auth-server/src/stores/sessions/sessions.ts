import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockRows } from '@frontdesk/database/lock-order'
import { createLookup } from '@frontdesk/database/lookup'
import { correlatedExists } from '@frontdesk/database/correlated-exists'
import { queryStep, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columns, pick } from '@frontdesk/database/table'
import { session } from '../../generated/tables.js'
import type { Authentication } from '../../oauth/authentication.js'
import { createClientSessionEnd } from '../access/client-session-end.js'
import { enrolledFactors } from '../access/enrolled-factors.js'
import { accessEpoch, grantEpoch, isAdmitted, withheld } from '../access/live-grant.js'
import { requiredAcr } from '../access/required-acr.js'
import { openSessionList, type Session, type SessionList } from './session-list.js'
import type { User } from '../users/users.js'

/** Maximum sessions of a user. */
export const MAX_USER_SESSIONS = 100

/** A session as a client's request uses it. */
export interface FoundSession extends Session {
  /** The `grantEpoch`, which new grants record. */
  readonly epoch: number
  /** Scopes that the user cannot grant, space-separated; `null`: none. */
  readonly withheld: string | null
  /** Whether the user has a sign-in role of the client, or it has none. */
  readonly isAdmitted: boolean
  /** The highest level that a role of the user requires; `null`: none. */
  readonly requiredAcr: string | null
  /** Kinds of the factors that the user has enrolled, space-separated; `null`: none. */
  readonly factors: string | null
  /** Language tag; `null`: none. */
  readonly locale: string | null
}

/** A session to start after a password was verified. */
interface NewSession extends Authentication {
  /** SHA-256 of the session id, base64url. */
  readonly idHash: string
  /** The user, as read for the verification. */
  readonly user: Pick<User, 'id' | 'passwordHash' | 'epoch'>
  /** When the browser was last seen. Default: `authTime`. */
  readonly lastSeenAt?: Date
  readonly expiresAt: Date
  /** `User-Agent` of the browser; `null` if it sent none. */
  readonly userAgent?: string | null
  /** `sid` of the previous session, if the same user signs in again; `null`: a new one. */
  readonly sid?: string | null
}

/** The sessions of signed-in browsers. Only hashes of session ids are stored. */
export interface Sessions extends SessionList {
  /** The session; `null` if it has expired or was revoked, the user is disabled, or their access was revoked since. */
  find (idHash: string, now: Date, clientId?: string): Promise<FoundSession | null>
  /**
   * Atomic: starts a session only if the verified password is still the current one, the user's access was not revoked since it
   * was read, and the user is neither disabled nor removed; else returns `false`. Ends the user's least recently seen sessions
   * beyond {@link MAX_USER_SESSIONS}, with their client sessions.
   */
  add (session: NewSession): Promise<boolean>
  /**
   * Atomic: ends a session, and its client sessions. Returns the session to exactly one concurrent caller, `null` to the others.
   * @param successor id of the user who signs in again: if it is the same user, the client sessions stay for the next session
   */
  remove (idHash: string, successor?: string): Promise<Pick<Session, 'userId' | 'sid'> | null>
}

export function openSessions (connection: Connection): Sessions {
  const find = createSessionLookup(connection)
  const additions = additionBatch(connection)
  const clientSessionEnd = createClientSessionEnd(connection)
  return {
    ...openSessionList(connection),
    async find (idHash, now, clientId = '') {
      const found = await find({ id: idHash, clientId })
      return found === null || found.expiresAt <= now ? null : found
    },
    add: session => additions.run(session),
    remove: (idHash, successor) => connection.transact(function * (): Steps<Pick<Session, 'userId' | 'sid'> | null> {
      const [session] = yield * queryStep(connection, { userId: 'string', sid: 'string' }, sql`
        DELETE FROM session WHERE id_hash = ${idHash} RETURNING user_id, sid`)
      if (session === undefined) return null
      if (session.userId !== successor) yield * clientSessionEnd.bySid([session])
      return session
    })
  }
}

/** Starts sessions in batches, each in a transaction. */
function additionBatch (connection: Connection): Batcher<NewSession, boolean> {
  const clientSessionEnd = createClientSessionEnd(connection)
  // One statement: a check before the insert would race with a change of password. It locks the users, so that the next one counts
  // all sessions.
  const users = { table: 'user_account', key: 'id', on: 'user_account.id = entry.user_id' }
  const statement = listStatement(connection, {
    entry: { ...session.columns, passwordHash: 'string' },
    sql: entries => `
      WITH entry AS (SELECT * FROM ${lockRows(connection, entries, users)})
      INSERT INTO session (${columnNames(session.columns)}) SELECT ${columnNames(session.columns)} FROM entry
      WHERE ${correlatedExists('user_account WHERE id = entry.user_id AND password_hash = entry.password_hash AND disabled_at IS NULL')}
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
      ({ lastSeenAt: session.authTime, ...session, userId, passwordHash, epoch, userAgent, sid: sid ?? session.idHash }))
    const added = await connection.transact(function * (): Steps<Set<string>> {
      const started = yield * statement.step(entries)
      const users = new Set(started.length === 0 ? [] : entries.map(({ userId }) => userId))
      const ended = yield * surplus.step([...users].map(userId => ({ userId })))
      yield * clientSessionEnd.bySid(ended)
      return new Set(started.map(({ idHash }) => idHash))
    }, mode)
    return sessions.map(({ idHash }) => added.has(idHash))
  }, connection)
}

/** Makes the lookup of live sessions. */
function createSessionLookup (connection: Connection) {
  const entry = { id: 'string', clientId: 'string' } as const
  const row = {
    ...entry,
    ...pick(session, 'sid', 'userId', 'authTime', 'amr', 'expiresAt'),
    username: 'string',
    lastSeen: 'datetime',
    epoch: 'int',
    withheld: 'string?',
    isAdmitted: 'boolean',
    requiredAcr: 'string?',
    factors: 'string?',
    locale: 'string?'
  } as const
  return createLookup(connection, {
    entry,
    sql: entries => `
      SELECT ${columns(row, 'session', {
        id: 'session.id_hash',
        username: 'user_account.username',
        lastSeen: 'session.last_seen_at',
        clientId: 'entry.client_id',
        epoch: grantEpoch('session.user_id', 'entry.client_id'),
        withheld: withheld('session.user_id'),
        isAdmitted: isAdmitted('session.user_id', 'entry.client_id'),
        requiredAcr: requiredAcr('session.user_id'),
        factors: enrolledFactors('session.user_id'),
        locale: 'user_account.locale'
      })}
      FROM ${entries} JOIN session ON session.id_hash = entry.id JOIN user_account ON user_account.id = session.user_id
      WHERE disabled_at IS NULL AND session.epoch = ${accessEpoch('session.user_id', "''")}`,
    row
  }, 'id', 'clientId')
}

import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Steps } from '@frontdesk/database/steps'
import { columns, pick } from '@frontdesk/database/table'
import { revocationGroup } from '@frontdesk/schemas/revocations'
import { accessEpoch, revocation } from '../../generated/tables.js'
import { LATEST_NOT_BEFORE, REVOCATION_MARGIN, TOKEN_TTL } from '../../lifetimes.js'
import { pairwiseSubject } from '../../oauth/subject.js'
import { secondsAfter, wholeSecondAfter } from './database-time.js'

/** A group of tokens to revoke: those of a user, of a client, or of a user at a client. */
export interface Group {
  readonly userId?: string
  readonly clientId?: string
  /** Revokes access tokens only: grants stay live, and issue new ones. */
  readonly keepsGrants?: true
}

/**
 * Revokes the group's access tokens with an `iat` up to this many seconds from now: those in flight, and those that replicas
 * issue from the client cache, whose entries live for two seconds.
 */
const NOT_BEFORE_S = { user: 2, client: 5 }

/** Revokes all codes and tokens of groups in O(1). */
export interface AccessEnd {
  /** Runs as steps of a transaction. Returns the new epoch of the first group. */
  steps (groups: readonly Group[]): Steps<number>
}

/** Makes the statements: one increments the access epochs, the other adds to the revocation feed. */
export function createAccessEnd (connection: Connection): AccessEnd {
  const soon = `CASE WHEN entry.user_id = '' THEN ${wholeSecondAfter(connection, NOT_BEFORE_S.client)}
    ELSE ${wholeSecondAfter(connection, NOT_BEFORE_S.user)} END`
  // The group's tokens can have an `iat` in the future, if an overlapping group was revoked just before.
  // A user's are found by the primary key: rows are never removed. Only a client's are among all.
  const overlapping = (users: string) => `SELECT other.not_before FROM access_epoch AS other
    WHERE ${users} AND (entry.client_id = '' OR other.client_id IN ('', entry.client_id))`
  const later = secondsAfter(connection, `(SELECT MAX(not_before) FROM (
    ${overlapping("other.user_id IN ('', entry.user_id)")} UNION ALL ${overlapping("entry.user_id = ''")}) AS overlapping)`, 1)
  // However often access is revoked, no token gets an `iat` that resource servers do not accept yet.
  const latest = wholeSecondAfter(connection, LATEST_NOT_BEFORE)
  const bounded = (time: string) => `CASE WHEN ${time} < ${latest} THEN ${time} ELSE ${latest} END`
  // The user has a different `sub` in each sector. Sectors of self-registered clients count only if the user has allowed the
  // client: anyone can register thousands. Salts contain no spaces.
  const salts = `(SELECT string_agg(salt, ' ') FROM sector WHERE identifier IN (
    SELECT sector_identifier FROM client WHERE access_epoch.client_id = client.id OR (access_epoch.client_id = '' AND (
      client.registered_by = 'operator' OR EXISTS (
        SELECT 1 FROM app_use WHERE app_use.client_id = client.id AND app_use.user_id = access_epoch.user_id)))))`
  // For the logout queue: a revocation can end many client sessions, which are marked later.
  const ended = `CASE WHEN EXISTS (SELECT 1 FROM client WHERE backchannel_logout_uri IS NOT NULL) THEN ${databaseTime(connection)} END`
  const group = pick(accessEpoch, 'userId', 'clientId')
  const row = { ...group, epoch: 'int', salts: 'string?' } as const
  const epochs = listStatement(connection, {
    entry: { ...group, increment: 'int' },
    sql: entries => `
      INSERT INTO access_epoch (user_id, client_id, epoch, not_before, ended_at)
      SELECT DISTINCT entry.user_id, entry.client_id, entry.increment,
        CASE WHEN ${later} > ${soon} THEN ${bounded(later)} ELSE ${soon} END, ${ended}
      FROM ${entries} WHERE true ORDER BY entry.user_id, entry.client_id
      ON CONFLICT (user_id, client_id) DO UPDATE SET epoch = access_epoch.epoch + excluded.epoch,
        not_before = CASE WHEN excluded.not_before > access_epoch.not_before THEN excluded.not_before
          ELSE ${bounded(secondsAfter(connection, 'access_epoch.not_before', 1))} END,
        ended_at = excluded.ended_at
      RETURNING ${columns(row, 'access_epoch', { salts })}`,
    row
  })
  // Entries of a user at a client count against the limits of both; a whole user or client has one entry, which does not count.
  const ofPair = (column: string) => `CASE WHEN entry.user_id <> '' AND entry.client_id <> '' THEN ${column} END`
  const feed = listStatement(connection, {
    entry: { ...pick(revocation, 'id'), ...group },
    sql: entries => `
      INSERT INTO revocation (id, revoked_at, ends_at, not_before, user_id, client_id)
      SELECT DISTINCT entry.id, ${databaseTime(connection)},
        ${secondsAfter(connection, 'not_before', TOKEN_TTL.maximum + REVOCATION_MARGIN)}, not_before,
        ${ofPair('entry.user_id')}, ${ofPair('entry.client_id')}
      FROM ${entries} JOIN access_epoch ON access_epoch.user_id = entry.user_id AND access_epoch.client_id = entry.client_id
      ORDER BY entry.id
      ON CONFLICT (id) DO UPDATE SET revoked_at = excluded.revoked_at, ends_at = excluded.ends_at, not_before = excluded.not_before`
  })
  return {
    * steps (groups) {
      const ended = yield * epochs.step(groups.map(({ userId = '', clientId = '', keepsGrants }) =>
        ({ userId, clientId, increment: keepsGrants ? 0 : 1 })))
      yield * feed.step(ended.flatMap(({ userId, clientId, salts }) => subjects(userId, salts)
        .map(sub => ({ id: revocationGroup({ sub, clientId }), userId, clientId }))))
      // One row for each group.
      return ended[0]!.epoch
    }
  }
}

/** Every `sub` that access tokens have for a user: the id, and a pseudonym for each sector. */
function subjects (userId: string, salts: string | null): string[] {
  return userId === '' ? [''] : [userId, ...salts?.split(' ').map(salt => pairwiseSubject(salt, userId)) ?? []]
}

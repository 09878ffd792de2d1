import type { Connection } from '@frontdesk/database/connection'
import { execute, exists, existsStep, query, queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { DAY_MS } from '../../lifetimes.js'
import type { Client } from '../../oauth/client.js'
import { OWN_SECTOR } from '../../oauth/subject.js'
import { accessEpoch } from '../access/live-grant.js'
import { isUnchecked, makeRoom, MAX_UNCHECKED_CLIENTS_PER_USER } from './app-room.js'
import type { ClientChanges } from './client-changes.js'
import { keepDocument, keepsKeys } from './client-documents.js'

/**
 * `ended`: the client was disabled or removed, or its document gives up its keys. `full`: about {@link MAX_UNCHECKED_CLIENTS} exist.
 * `many`: the user has allowed {@link MAX_UNCHECKED_CLIENTS_PER_USER}.
 */
type UseOutcome = 'used' | 'ended' | 'full' | 'many'

/** Records which self-registered clients users allow. */
export interface ClientUse {
  /**
   * Atomic: records that a user allows a client access, and stores a client that a document describes. Concurrent uses cannot
   * exceed the user's limit.
   */
  use (client: Client, userId: string, now: Date): Promise<UseOutcome>
  /** See {@link makeRoom}. */
  makeRoom (userId: string, now: Date): Promise<boolean>
  /** Whether a user has allowed the client, and not removed it since. */
  isAllowed (clientId: string): Promise<boolean>
  /** Removes up to `limit` unused clients that registered without a token, and sectors without a client. Returns how many clients. */
  sweep (now: Date, limit: number): Promise<number>
}

/** Maximum clients that registered without a token, and as many by a document: anyone can add them. */
export const MAX_UNCHECKED_CLIENTS = 10_000

/** How long a client is kept that was never allowed access, in days. */
const KEEP_UNUSED_DAYS = 1

/** How long a client is kept after it was last allowed access, in days: longer than any refresh token lives. */
const KEEP_USED_DAYS = 400

/** Maximum clients that a sweep removes: each removal scans all codes and refresh tokens. */
const MAX_REMOVED_PER_SWEEP = 20

export function openClientUse (connection: Connection, changes: ClientChanges): ClientUse {
  const epoch = (user: string, client: string) => raw(accessEpoch(user, client))
  const isCurrent = sql`epoch = ${epoch('app_use.user_id', 'app_use.client_id')}`
  const noKeyUpdate = raw(connection.dialect === 'postgresql' ? 'FOR NO KEY UPDATE' : '')

  /** Whether the user can allow one more client; `null` for an unknown user. Locks the user, so that concurrent uses are counted. */
  function * hasRoom (userId: string): Steps<boolean | null> {
    if (!(yield * existsStep(connection, sql`SELECT 1 FROM user_account WHERE id = ${userId} ${noKeyUpdate}`))) return null
    return !(yield * existsStep(connection, sql`
      SELECT 1 FROM app_use JOIN client ON client.id = client_id WHERE user_id = ${userId} AND ${isCurrent} AND ${isUnchecked}
      LIMIT 1 OFFSET ${MAX_UNCHECKED_CLIENTS_PER_USER - 1}`))
  }

  function * record ({ registeredBy, ...client }: Client, userId: string, now: Date): Steps<UseOutcome> {
    const clientId = client.id
    const isKnown = yield * existsStep(connection, sql`
      SELECT 1 FROM app_use WHERE user_id = ${userId} AND client_id = ${clientId} AND ${isCurrent}`)
    const isLimited = registeredBy === 'open' || registeredBy === 'document'
    const room = isKnown || !isLimited ? true : yield * hasRoom(userId)
    if (room !== true) return room === null ? 'ended' : 'many'
    const [row] = yield * queryStep(connection, { registeredBy: 'string', isDisabled: 'boolean', keepsKeys: 'boolean' }, sql`
      SELECT registered_by, disabled_at IS NOT NULL, ${keepsKeys(client.tokenEndpointAuthMethod)} FROM client
      WHERE id = ${clientId} ${noKeyUpdate}`)
    if (registeredBy === 'document' && row === undefined && (yield * isFull(connection, 'document'))) return 'full'
    // A client that an operator has adopted or disabled is not overwritten.
    if (registeredBy !== 'document' ? row === undefined : row !== undefined && row.registeredBy !== 'document') return 'ended'
    if (row?.isDisabled === true || (registeredBy === 'document' && row?.keepsKeys === false)) return 'ended'
    if (registeredBy === 'document') yield * keepDocument(connection, changes, { registeredBy, ...client })
    yield * queryStep(connection, {}, sql`UPDATE client SET used_at = ${now} WHERE id = ${clientId}`)
    yield * queryStep(connection, {}, sql`
      INSERT INTO app_use (user_id, client_id, epoch, used_at) SELECT ${userId}, client.id, ${epoch('user_account.id', 'client.id')}, ${now}
      FROM client JOIN user_account ON user_account.id = ${userId} WHERE client.id = ${clientId}
      ON CONFLICT (user_id, client_id) DO UPDATE SET epoch = excluded.epoch, used_at = excluded.used_at`)
    return 'used'
  }

  return {
    async use (client, userId, now) {
      const { id, usedAt } = client
      if (usedAt !== null && usedAt.getTime() > now.getTime() - DAY_MS) {
        const again = await execute(connection, sql`
          UPDATE app_use SET used_at = ${now} WHERE user_id = ${userId} AND client_id = ${id} AND ${isCurrent}
            AND EXISTS (SELECT 1 FROM client WHERE client.id = client_id AND disabled_at IS NULL)`)
        if (again === 1) return 'used'
      }
      return await connection.transact(() => record(client, userId, now))
    },
    makeRoom: (userId, now) => connection.transact(() => makeRoom(connection, userId, now)),
    isAllowed: clientId => exists(connection, sql`SELECT 1 FROM app_use WHERE client_id = ${clientId} AND ${isCurrent} LIMIT 1`),
    sweep: (now, limit) => removeUnused(connection, now, limit)
  }
}

/** Whether about {@link MAX_UNCHECKED_CLIENTS} clients have registered in this way. */
export function isFull (connection: Connection, registeredBy: 'open' | 'document'): Steps<boolean> {
  return existsStep(connection, sql`SELECT 1 FROM client WHERE registered_by = ${registeredBy} LIMIT 1 OFFSET ${MAX_UNCHECKED_CLIENTS - 1}`)
}

async function removeUnused (connection: Connection, now: Date, limit: number): Promise<number> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const isIdle = sql`${isUnchecked}
    AND (used_at <= ${before(KEEP_USED_DAYS)} OR (used_at IS NULL AND created_at <= ${before(KEEP_UNUSED_DAYS)}))`
  // The condition stands twice: for a row that was just used, PostgreSQL checks only the outer one again.
  const removed = await execute(connection, sql`
    DELETE FROM client WHERE id IN (SELECT id FROM client WHERE ${isIdle} LIMIT ${Math.min(limit, MAX_REMOVED_PER_SWEEP)}) AND ${isIdle}`)
  await query(connection, {}, sql`
    DELETE FROM sector WHERE identifier LIKE ${`${OWN_SECTOR}%`} AND created_at <= ${before(KEEP_UNUSED_DAYS)}
      AND identifier NOT IN (SELECT sector_identifier FROM client WHERE sector_identifier IS NOT NULL)`)
  return removed
}

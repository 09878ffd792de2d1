import type { Connection } from '@frontdesk/database/connection'
import { query, queryStep, raw, sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import type { Client } from '../../oauth/client.js'
import { OWN_SECTOR } from '../../oauth/subject.js'
import { accessEpoch } from '../access/live-grant.js'
import { isUnchecked, makeRoom, MAX_APPS_OF_PERSON } from './app-room.js'
import type { ClientChanges } from './client-changes.js'
import { keepDocument, keepsKeys } from './client-documents.js'

/**
 * What became of a use: `used`; `ended`: the app was disabled or removed meanwhile, or its document would give up its keys; `full`:
 * there are about {@link MOST_OPEN} such apps; `many`: the person has allowed {@link MAX_APPS_OF_PERSON} of them.
 */
type UseOutcome = 'used' | 'ended' | 'full' | 'many'

/** Which of the apps that registered themselves people use. */
export interface ClientUse {
  /**
   * Records that a person allows the app access, and stores an app that a document describes. Atomic: concurrent uses cannot
   * exceed the number of apps of a person.
   */
  use (client: Client, userId: string, now: Date): Promise<UseOutcome>
  /**
   * Removes the app that the person has not used for longest, of those without tokens of the person, and the app itself if no one
   * else has allowed it. Returns `false` if there is none.
   */
  makeRoom (userId: string, now: Date): Promise<boolean>
  /** Whether a person has allowed the app and not removed it. */
  isAllowed (clientId: string): Promise<boolean>
  /** Removes up to `limit` apps that registered without a token and are not used, and sectors without an app. Returns how many apps. */
  sweep (now: Date, limit: number): Promise<number>
}

/** Most apps that registered without a token: anyone can add one. */
export const MOST_OPEN = 10_000

const DAY_MS = 24 * 60 * 60_000

/** How long an app is kept that no person ever allowed access, in days. */
const KEEP_UNUSED = 1

/** How long an app is kept after a person last allowed it access, in days: longer than any refresh token lives. */
const KEEP_USED = 400

/** Most apps that a sweep removes: each removal looks through all codes and refresh tokens. */
const SWEPT = 20

/** {@link ClientUse} in a database. */
export function openClientUse (connection: Connection, changes: ClientChanges): ClientUse {
  const epoch = (user: string, client: string) => raw(accessEpoch(user, client))
  const isCurrent = sql`epoch = ${epoch('app_use.user_id', 'app_use.client_id')}`
  const noKeyUpdate = raw(connection.dialect === 'postgresql' ? 'FOR NO KEY UPDATE' : '')

  /** Whether the person may allow one more app. Locks the row of the person, so that concurrent uses are counted. */
  function * hasRoom (userId: string): Steps<boolean | null> {
    const [user] = yield * queryStep(connection, { id: 'string' }, sql`SELECT id FROM user_account WHERE id = ${userId} ${noKeyUpdate}`)
    if (user === undefined) return null
    const [last] = yield * queryStep(connection, { id: 'string' }, sql`
      SELECT client_id FROM app_use JOIN client ON client.id = client_id WHERE user_id = ${userId} AND ${isCurrent} AND ${isUnchecked}
      LIMIT 1 OFFSET ${MAX_APPS_OF_PERSON - 1}`)
    return last === undefined
  }

  function * record ({ registeredBy, ...client }: Client, userId: string, now: Date): Steps<UseOutcome> {
    const clientId = client.id
    const [known] = yield * queryStep(connection, { id: 'string' }, sql`
      SELECT client_id FROM app_use WHERE user_id = ${userId} AND client_id = ${clientId} AND ${isCurrent}`)
    const isBounded = registeredBy === 'open' || registeredBy === 'document'
    const room = known !== undefined || !isBounded ? true : yield * hasRoom(userId)
    if (room !== true) return room === null ? 'ended' : 'many'
    const [row] = yield * queryStep(connection, { registeredBy: 'string', isDisabled: 'boolean', keepsKeys: 'boolean' }, sql`
      SELECT registered_by, disabled_at IS NOT NULL, ${keepsKeys(client.tokenEndpointAuthMethod)} FROM client
      WHERE id = ${clientId} ${noKeyUpdate}`)
    if (registeredBy === 'document' && row === undefined && (yield * isFull(connection, 'document'))) return 'full'
    // Nothing that an operator has adopted or disabled is overwritten.
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
        const again = await query(connection, { id: 'string' }, sql`
          UPDATE app_use SET used_at = ${now} WHERE user_id = ${userId} AND client_id = ${id} AND ${isCurrent}
            AND EXISTS (SELECT 1 FROM client WHERE client.id = client_id AND disabled_at IS NULL) RETURNING client_id`)
        if (again.length === 1) return 'used'
      }
      return await connection.transact(() => record(client, userId, now))
    },
    makeRoom: (userId, now) => connection.transact(() => makeRoom(connection, userId, now)),
    async isAllowed (clientId) {
      const [allowed] = await query(connection, { id: 'string' }, sql`
        SELECT client_id FROM app_use WHERE client_id = ${clientId} AND ${isCurrent} LIMIT 1`)
      return allowed !== undefined
    },
    sweep: (now, limit) => removeUnused(connection, now, limit)
  }
}

/** Whether about {@link MOST_OPEN} apps have registered in this way. */
export function * isFull (connection: Connection, registeredBy: 'open' | 'document'): Steps<boolean> {
  const [last] = yield * queryStep(connection, { id: 'string' }, sql`
    SELECT id FROM client WHERE registered_by = ${registeredBy} LIMIT 1 OFFSET ${MOST_OPEN - 1}`)
  return last !== undefined
}

/** Removes apps and sectors that are not used. Returns how many apps. */
async function removeUnused (connection: Connection, now: Date, limit: number): Promise<number> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const isIdle = sql`${isUnchecked} AND (used_at <= ${before(KEEP_USED)} OR (used_at IS NULL AND created_at <= ${before(KEEP_UNUSED)}))`
  // Twice: PostgreSQL checks only the outer condition again for a row that was used meanwhile.
  const swept = await query(connection, { id: 'string' }, sql`
    DELETE FROM client WHERE id IN (SELECT id FROM client WHERE ${isIdle} LIMIT ${Math.min(limit, SWEPT)}) AND ${isIdle} RETURNING id`)
  await query(connection, {}, sql`
    DELETE FROM sector WHERE identifier LIKE ${`${OWN_SECTOR}%`} AND created_at <= ${before(KEEP_UNUSED)}
      AND identifier NOT IN (SELECT sector_identifier FROM client WHERE sector_identifier IS NOT NULL)`)
  return swept.length
}

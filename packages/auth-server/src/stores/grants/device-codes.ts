import type { Connection } from '@frontdesk/database/connection'
import type { Row } from '@frontdesk/database/rows'
import { execute, executeStep, query, raw, sql } from '@frontdesk/database/sql'
import { columnNames, pick } from '@frontdesk/database/table'
import { transactOr } from '@frontdesk/database/transact-or'
import { deviceCode } from '../../generated/tables.js'
import { createDevicePolls, type DevicePoll, type Polled } from './device-poll.js'
import type { NewTokens } from './token-insertion.js'
import { createGrantLimit } from './grant-bounds.js'
import { createGrantAddition, grantEntry, type NewGrant } from './grants.js'

const REQUEST = pick(deviceCode, 'clientId', 'scope', 'audience')

/** A device authorization request (RFC 8628 §3.1). */
export type DeviceRequest = Row<typeof REQUEST>

/** The same with its codes (RFC 8628 §3.2). */
type DeviceCode = DeviceRequest &
  Pick<Row<typeof deviceCode.columns>, 'hash' | 'userCodeHash' | 'pollInterval' | 'createdAt' | 'expiresAt'>

/** Device authorization requests. Only hashes of their codes are stored. */
export interface DeviceCodes {
  /** Adds a request. Returns `false`, with nothing changed, if the user code is taken or the client is disabled or removed. */
  add (code: DeviceCode): Promise<boolean>
  /** The pending request; `null` if it is unknown, expired or decided. */
  find (userCodeHash: string, now: Date): Promise<DeviceRequest | null>
  /**
   * Atomic: records a grant, which the device can exchange its code for. Exactly one concurrent decision succeeds. Changes nothing
   * if the request is no longer pending (`decided`), or the access of its user or client was revoked (`ended`).
   */
  allow (userCodeHash: string, grant: NewGrant, authTime: Date, now: Date): Promise<'allowed' | 'decided' | 'ended'>
  /** Atomic: denies a request. Returns `null`, with nothing changed, if it is no longer pending. */
  deny (userCodeHash: string, now: Date): Promise<DeviceRequest | null>
  /** Responds to a poll, and exchanges the code once the request is allowed. */
  poll (poll: DevicePoll, newTokens: NewTokens, now: Date): Promise<Polled>
}

/** Opens the store. Concurrent polls share a transaction. */
export function openDeviceCodes (connection: Connection): DeviceCodes {
  const grants = createGrantAddition(connection)
  const limit = createGrantLimit(connection)
  const requested = raw(columnNames(REQUEST))
  const waits = (userCodeHash: string, now: Date) =>
    sql`user_code_hash = ${userCodeHash} AND grant_id IS NULL AND denied_at IS NULL AND expires_at > ${now}`
  return {
    async add ({ hash, userCodeHash, clientId, scope, audience, pollInterval, createdAt, expiresAt }) {
      return await execute(connection, sql`
        INSERT INTO device_code (hash, user_code_hash, client_id, scope, audience, poll_interval, created_at, expires_at)
        SELECT ${hash}, ${userCodeHash}, id, ${scope}, ${audience}, ${pollInterval}, ${createdAt}, ${expiresAt}
        FROM client WHERE id = ${clientId} AND disabled_at IS NULL
        ON CONFLICT DO NOTHING`) === 1
    },
    async find (userCodeHash, now) {
      const [found] = await query(connection, REQUEST, sql`
        SELECT ${requested} FROM device_code WHERE ${waits(userCodeHash, now)}`)
      return found ?? null
    },
    async allow (userCodeHash, grant, authTime, now) {
      // First, because nothing is decided if it fails.
      await limit(grant)
      return await transactOr<'allowed' | 'decided', 'ended'>(connection, function * (rolledBack) {
        const decided = yield * executeStep(connection, sql`
          UPDATE device_code SET grant_id = ${grant.id}, scope = ${grant.scope}, user_id = ${grant.userId}, auth_time = ${authTime}
          WHERE ${waits(userCodeHash, now)}`)
        if (decided === 0) return 'decided'
        const [given] = yield * grants.step([grantEntry(grant)])
        if (given === undefined) throw rolledBack('ended')
        return 'allowed'
      })
    },
    async deny (userCodeHash, now) {
      const [denied] = await query(connection, REQUEST, sql`
        UPDATE device_code SET denied_at = ${now} WHERE ${waits(userCodeHash, now)} RETURNING ${requested}`)
      return denied ?? null
    },
    poll: createDevicePolls(connection)
  }
}

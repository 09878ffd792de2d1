import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { correlatedExists } from '@frontdesk/database/correlated-exists'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockInOrder } from '@frontdesk/database/lock-order'
import { createLookup } from '@frontdesk/database/lookup'
import type { Row } from '@frontdesk/database/rows'
import { runBatch } from '@frontdesk/database/run-batch'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columns, pick, setColumns } from '@frontdesk/database/table'
import { deviceCode } from '../../generated/tables.js'
import type { Authentication } from '../../oauth/authentication.js'
import { createDevicePolls, type DevicePoll, type Polled } from './device-poll.js'
import type { NewTokens } from './token-insertion.js'
import { createGrantLimit } from './grant-bounds.js'
import { createGrantAddition, grantEntry, type NewGrant } from './grants.js'

const REQUEST = pick(deviceCode, 'clientId', 'scope', 'audience', 'acrValues', 'maxAge')

/** A device authorization request (RFC 8628 §3.1). */
export type DeviceRequest = Row<typeof REQUEST>

const PENDING = { ...pick(deviceCode, 'userCodeHash'), ...REQUEST } as const

const ADDED = { ...REQUEST, ...pick(deviceCode, 'hash', 'userCodeHash', 'pollInterval', 'createdAt', 'expiresAt') } as const

/** The same with its codes (RFC 8628 §3.2). */
type DeviceCode = Row<typeof ADDED>

/** What a decision to allow sets. */
const ALLOWED = pick(deviceCode, 'grantId', 'scope', 'userId', 'authTime', 'amr')

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
  allow (userCodeHash: string, grant: NewGrant, authentication: Authentication, now: Date): Promise<'allowed' | 'decided' | 'ended'>
  /** Atomic: denies a request. Returns `null`, with nothing changed, if it is no longer pending. */
  deny (userCodeHash: string, now: Date): Promise<DeviceRequest | null>
  /** Responds to a poll, and exchanges the code once the request is allowed. */
  poll (poll: DevicePoll, newTokens: NewTokens, now: Date): Promise<Polled>
}

/** The entry of statements about a pending request. */
const DECISION = { ...pick(deviceCode, 'userCodeHash'), now: 'datetime' } as const

/** SQL condition that the request of an entry is pending. */
const IS_PENDING = 'device_code.grant_id IS NULL AND device_code.denied_at IS NULL AND device_code.expires_at > entry.now'

/** Opens the store. Concurrent requests, decisions and polls share statements. */
export function openDeviceCodes (connection: Connection): DeviceCodes {
  const additions = additionBatch(connection)
  const allowances = allowanceBatch(connection)
  const limit = createGrantLimit(connection)
  const find = createLookup(connection, {
    entry: DECISION,
    sql: entries => `
      SELECT ${columns(PENDING, 'device_code')}
      FROM ${entries} JOIN device_code ON device_code.user_code_hash = entry.user_code_hash WHERE ${IS_PENDING}`,
    row: PENDING
  }, 'userCodeHash')
  const denials = listStatement(connection, {
    entry: DECISION,
    sql: entries => `
      UPDATE device_code SET denied_at = entry.now FROM ${entries}
      WHERE device_code.user_code_hash = entry.user_code_hash AND ${IS_PENDING} RETURNING ${columns(REQUEST, 'device_code')}`,
    row: REQUEST
  })
  return {
    add: code => additions.run(code),
    async find (userCodeHash, now) {
      const found = await find({ userCodeHash, now })
      if (found === null) return null
      const { userCodeHash: _, ...request } = found
      return request
    },
    async allow (userCodeHash, grant, authentication, now) {
      // First, because nothing is decided if it fails.
      await limit(grant)
      return await allowances.run({ userCodeHash, grant, authentication, now })
    },
    async deny (userCodeHash, now) {
      const [denied] = await denials.run([{ userCodeHash, now }])
      return denied ?? null
    },
    poll: createDevicePolls(connection)
  }
}

/** Adds requests in batches. */
function additionBatch (connection: Connection): Batcher<DeviceCode, boolean> {
  const addition = listStatement(connection, {
    entry: ADDED,
    sql: entries => `
      INSERT INTO device_code (${columnNames(ADDED)})
      SELECT ${columns(ADDED, 'entry')} FROM ${entries}
      WHERE ${correlatedExists('client WHERE client.id = entry.client_id AND client.disabled_at IS NULL')}
      ORDER BY entry.hash ON CONFLICT DO NOTHING RETURNING hash`,
    row: pick(deviceCode, 'hash')
  })
  return new Batcher(async (codes, mode) => {
    const added = new Set((await runBatch(connection, addition, codes, mode)).map(({ hash }) => hash))
    return codes.map(({ hash }) => added.has(hash))
  }, connection)
}

interface Allowance { readonly userCodeHash: string, readonly grant: NewGrant, readonly authentication: Authentication, readonly now: Date }

/** Allows requests in batches, each in one transaction that first locks the rows, in the order of polls. */
function allowanceBatch (connection: Connection): Batcher<Allowance, 'allowed' | 'decided' | 'ended'> {
  const grants = createGrantAddition(connection)
  const pending = listStatement(connection, {
    entry: DECISION,
    sql: entries => `
      SELECT device_code.user_code_hash
      FROM ${entries} JOIN device_code ON device_code.user_code_hash = entry.user_code_hash WHERE ${IS_PENDING}
      ${lockInOrder(connection, 'device_code.hash', 'FOR NO KEY UPDATE OF device_code')}`,
    row: pick(deviceCode, 'userCodeHash')
  })
  const change = listStatement(connection, {
    entry: { ...pick(deviceCode, 'userCodeHash'), ...ALLOWED },
    sql: entries => `
      UPDATE device_code SET ${setColumns(ALLOWED)} FROM ${entries} WHERE device_code.user_code_hash = entry.user_code_hash`
  })
  function * steps (asked: readonly Allowance[]): Steps<Array<'allowed' | 'decided' | 'ended'>> {
    const waiting = new Set((yield * pending.step(asked)).map(({ userCodeHash }) => userCodeHash))
    const decided = asked.filter(({ userCodeHash }) => waiting.has(userCodeHash))
    const given = new Set((yield * grants.step(decided.map(({ grant }) => grantEntry(grant)))).map(({ id }) => id))
    const allowed = decided.filter(({ grant }) => given.has(grant.id))
    yield * change.step(allowed.map(({ userCodeHash, grant: { id, scope, userId }, authentication: { authTime, amr } }) =>
      ({ userCodeHash, grantId: id, scope, userId, authTime, amr })))
    return asked.map(({ userCodeHash, grant }) => !waiting.has(userCodeHash) ? 'decided' : given.has(grant.id) ? 'allowed' : 'ended')
  }
  return new Batcher(async (asked, mode) => await connection.transact(() => steps(asked), mode), {
    concurrency: connection.concurrency, keyOf: ({ userCodeHash }) => userCodeHash
  })
}

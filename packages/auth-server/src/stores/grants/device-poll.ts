import { Batcher } from '@frontdesk/database/batch'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import { lockInOrder } from '@frontdesk/database/lock-order'
import type { Row } from '@frontdesk/database/rows'
import type { Steps } from '@frontdesk/database/steps'
import { columns, pick } from '@frontdesk/database/table'
import { deviceCode } from '../../generated/tables.js'
import { POLL_INTERVAL } from '../../lifetimes.js'
import { isLiveGrant } from '../access/live-grant.js'
import { createExchange, createTokenInsertion, type NewTokens } from './token-insertion.js'
import { REFRESHED, refreshedColumns, type Refreshed } from './refresh-family.js'

/** A device's token request. */
export interface DevicePoll {
  /** SHA-256 of the device code, base64url. */
  readonly hash: string
  readonly clientId: string
  /** `resource` of the request (RFC 8707 §2.2); `undefined` if it has none. */
  readonly audience: string | undefined
}

/** The response to a poll (RFC 8628 §3.5). */
export type Polled =
  /** No tokens, or none yet. `early`: the device polled too soon, and must wait longer from now on. */
  | { readonly state: 'pending' | 'early' | 'denied' | 'expired' }
  /** `invalid`: the code is unknown or another client's, or its grant is not live. `elsewhere`: it is for another resource. */
  | { readonly state: 'invalid' | 'elsewhere' }
  /** The code was exchanged before. */
  | { readonly state: 'spent', readonly grantId: string }
  /** The code is exchanged. */
  | { readonly state: 'granted' } & Refreshed

/** How much too early a poll can arrive, in milliseconds: network delays vary. */
const LEEWAY_MS = 1_000

interface PendingPoll { readonly poll: DevicePoll, readonly newTokens: NewTokens, readonly now: Date }

/** The columns that a poll reads. */
const COLUMNS = pick(deviceCode, 'hash', 'audience', 'pollInterval', 'expiresAt', 'polledAt', 'deniedAt', 'grantId', 'spentAt')

/**
 * Responds to polls, each batch in one transaction that first locks the rows: exactly one poll exchanges a code. After an error,
 * the code is unspent; if the outcome of COMMIT is unknown, the code and its tokens are removed.
 */
export function createDevicePolls (connection: Connection): (poll: DevicePoll, newTokens: NewTokens, now: Date) => Promise<Polled> {
  const insertTokens = createTokenInsertion(connection)
  // Locks the rows for the statements below.
  const rows = listStatement(connection, {
    entry: pick(deviceCode, 'hash', 'clientId'),
    sql: entries => `
      SELECT ${columns(COLUMNS, 'device_code')}
      FROM device_code JOIN ${entries} ON device_code.hash = entry.hash AND device_code.client_id = entry.client_id
      ${lockInOrder(connection, 'device_code.hash', 'FOR NO KEY UPDATE OF device_code')}`,
    row: COLUMNS
  })
  const marks = listStatement(connection, {
    entry: { ...pick(deviceCode, 'hash', 'pollInterval'), now: 'datetime' },
    sql: entries => `
      UPDATE device_code SET polled_at = entry.now, poll_interval = entry.poll_interval FROM ${entries} WHERE device_code.hash = entry.hash`
  })
  const row = { hash: 'string', ...REFRESHED } as const
  const spending = listStatement(connection, {
    entry: { hash: 'string', now: 'datetime' },
    sql: entries => `
      UPDATE device_code SET spent_at = entry.now FROM ${entries} WHERE device_code.hash = entry.hash
        AND ${isLiveGrant('device_code.grant_id')}
      RETURNING ${refreshedColumns(row, 'device_code', {
        sid: `(SELECT MAX(sid) FROM client_session
          WHERE client_session.sid = device_code.grant_id AND client_session.client_id = device_code.client_id)`
      })}`,
    row
  })

  function * steps (asked: readonly PendingPoll[]): Steps<Map<string, Polled>> {
    const byHash = new Map(asked.map(it => [it.poll.hash, it]))
    const found = (yield * rows.step(asked.map(({ poll }) => poll)))
      // as: the rows are those that were asked for.
      .map(row => ({ ...row, ...byHash.get(row.hash) as PendingPoll }))
    const answers = new Map(found.map(({ poll, now, ...row }) => [row.hash, decide(row, poll, now)]))
    const waiting = found.filter(({ hash }) => ['pending', 'early'].includes(answers.get(hash)!.state))
    const more = (hash: string) => answers.get(hash)!.state === 'early' ? POLL_INTERVAL : 0
    yield * marks.step(waiting.map(({ hash, now, pollInterval }) => ({ hash, now, pollInterval: pollInterval + more(hash) })))
    const allowed = asked.filter(({ poll }) => answers.get(poll.hash)?.state === 'allowed')
    const spent = yield * spending.step(allowed.map(({ poll: { hash }, now }) => ({ hash, now })))
    const spentRows = new Map(spent.map(row => [row.hash, row]))
    const live = yield * insertTokens(allowed.flatMap(({ poll: { hash, clientId }, newTokens, now }) => {
      const granted = spentRows.get(hash)
      return granted === undefined ? [] : [{ ...granted, clientId, newTokens, now }]
    }))
    const exchanged = new Map([...spentRows].filter(([, { grantId }]) => live.has(grantId)))
    return new Map(asked.map(({ poll: { hash } }): [string, Polled] => {
      const [answer, granted] = [answers.get(hash), exchanged.get(hash)]
      if (granted !== undefined) return [hash, { state: 'granted', ...granted }]
      return [hash, answer === undefined || answer.state === 'allowed' ? { state: 'invalid' } : answer]
    }))
  }

  const exchange = createExchange<PendingPoll, Polled>(connection, {
    table: 'device_code', hashOf: ({ poll }) => poll.hash, steps, isMade: it => it?.state === 'granted'
  })
  const polls = new Batcher(async (asked: PendingPoll[], mode) => {
    const answers = await exchange(asked, mode)
    // as: there is one for each.
    return asked.map(({ poll }) => answers.get(poll.hash) as Polled)
  }, { concurrency: connection.concurrency, keyOf: ({ poll }) => poll.hash })
  return (poll, newTokens, now) => polls.run({ poll, newTokens, now })
}

/** The state of a request; `allowed`, provided that its grant is live. */
function decide (
  { audience, pollInterval, expiresAt, polledAt, deniedAt, grantId, spentAt }: Row<typeof COLUMNS>,
  poll: DevicePoll,
  now: Date
): Exclude<Polled, { state: 'granted' | 'invalid' }> | { readonly state: 'allowed' } {
  if (poll.audience !== undefined && poll.audience !== audience) return { state: 'elsewhere' }
  if (spentAt !== null && grantId !== null) return { state: 'spent', grantId }
  if (deniedAt !== null) return { state: 'denied' }
  if (expiresAt <= now) return { state: 'expired' }
  if (grantId !== null) return { state: 'allowed' }
  const next = polledAt === null ? 0 : polledAt.getTime() + pollInterval * 1_000 - LEEWAY_MS
  return { state: now.getTime() < next ? 'early' : 'pending' }
}

import { databaseTime, type Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { leases } from '@frontdesk/database/leases'
import { execute, executeStep, query, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Row } from '@frontdesk/database/rows'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, pick } from '@frontdesk/database/table'
import * as tables from '../../generated/tables.js'
import type { FeedCursor } from '../changes/feed-cursor.js'

/** Webhooks, at most. */
export const MAX_WEBHOOKS = 100

/** Dead letters of a webhook that are kept, at most: the newest ones. */
export const MAX_DEAD_LETTERS = 1_000

/** How long a process delivers alone without renewing its lease, in seconds: longer than an attempt may take. */
const LEASE_SECONDS = 20

const WEBHOOK = {
  ...pick(tables.webhook, 'id', 'url', 'secret', 'mark', 'disabledReason', 'failures', 'failure', 'createdAt'), position: 'int'
} as const

/** An address that events are sent to, and the cursor of the last one. */
export type Webhook = Row<typeof WEBHOOK>

type Place = Pick<Webhook, 'id' | 'position' | 'mark'>

/** Addresses that events of the change feed are sent to, for a server that delivers. Times are those of the database's clock. */
export interface Webhooks {
  find (id: string): Promise<Webhook | null>
  /** Those that are not disabled, and whether their next attempt is due. */
  listEnabled (): Promise<Array<Webhook & { readonly isDue: boolean }>>
  /** Takes or renews the right to deliver to a webhook. Atomic: one process has it at a time. */
  lease (id: string, holder: string): Promise<boolean>
  release (id: string, holder: string): Promise<void>
  /** Notes that an event was delivered; `false`: another process, or a command, moved the webhook on. */
  advance (webhook: Place, to: FeedCursor): Promise<boolean>
  /** Notes a failed attempt, and when the next one is due. */
  delay (webhook: Place, failure: string, seconds: number): Promise<void>
  /** Puts an event among the dead letters and moves the webhook on; `false`: nothing was done, as with `advance`. Atomic. */
  giveUp (webhook: Place, to: FeedCursor, reason: string): Promise<boolean>
  /** Stops the deliveries to a webhook; `false`: another process, or a command, moved it on. */
  disable (webhook: Place, reason: string): Promise<boolean>
}

/** Opens {@link Webhooks}. */
export function openWebhooks (connection: Connection, clock: Pick<Clock, 'now'>): Webhooks {
  const take = leases(connection, { seconds: LEASE_SECONDS, takenAt: true })
  const now = raw(databaseTime(connection))
  const selected = raw(columnNames(WEBHOOK))
  const change = async (changes: Sql, condition: Sql) => await execute(connection, sql`UPDATE webhook SET ${changes} WHERE ${condition}`) > 0

  return {
    find: async id => (await query(connection, WEBHOOK, sql`SELECT ${selected} FROM webhook WHERE id = ${id}`))[0] ?? null,
    listEnabled: async () => await query(connection, { ...WEBHOOK, isDue: 'boolean' }, sql`
      SELECT ${selected}, next_attempt <= ${now} FROM webhook WHERE disabled_reason IS NULL ORDER BY next_attempt`),

    lease: async (id, holder) => await take(leaseOf(id), holder),
    async release (id, holder) {
      await execute(connection, sql`DELETE FROM lease WHERE name = ${leaseOf(id)} AND holder = ${holder}`)
    },

    advance: async (webhook, to) =>
      await change(sql`${setPlace(to)}, failures = 0, failure = NULL, next_attempt = ${now}`, isAt(webhook)),

    async delay (webhook, failure, seconds) {
      const nextAttempt = new Date(clock.now().getTime() + Math.round(seconds) * 1_000)
      await change(sql`failures = failures + 1, failure = ${failure}, next_attempt = ${nextAttempt}`, isAt(webhook))
    },

    giveUp: async (webhook, to, reason) => await connection.transact(() => giveUp(webhook, to, reason)),

    disable: async (webhook, reason) => await change(sql`disabled_reason = ${reason}`, isAt(webhook))
  }

  function * giveUp (webhook: Place, to: FeedCursor, reason: string): Steps<boolean> {
    const moved = yield * executeStep(connection, sql`UPDATE webhook SET ${setPlace(to)}, failures = 0, failure = NULL WHERE ${isAt(webhook)}`)
    if (moved === 0) return false
    yield * executeStep(connection, sql`
      INSERT INTO webhook_dead_letter (webhook_id, position, reason, at) VALUES (${webhook.id}, ${to.position}, ${reason}, ${now})
      ON CONFLICT (webhook_id, position) DO UPDATE SET reason = excluded.reason, at = excluded.at`)
    yield * executeStep(connection, sql`
      DELETE FROM webhook_dead_letter WHERE webhook_id = ${webhook.id} AND position <= (
        SELECT position FROM webhook_dead_letter WHERE webhook_id = ${webhook.id} ORDER BY position DESC LIMIT 1 OFFSET ${MAX_DEAD_LETTERS})`)
    return true
  }
}

const leaseOf = (id: string) => `webhook ${id}`

/** Nothing has moved it on meanwhile. */
function isAt ({ id, position, mark }: Place): Sql {
  return sql`id = ${id} AND position = ${position} AND mark = ${mark}`
}

function setPlace ({ position, mark }: FeedCursor): Sql {
  return sql`position = ${position}, mark = ${mark}`
}

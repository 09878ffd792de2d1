import { databaseTime, type Clock } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { leases } from '@frontdesk/database/leases'
import { execute, executeStep, query, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Row } from '@frontdesk/database/rows'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, pick } from '@frontdesk/database/table'
import * as tables from '../../generated/tables.js'
import type { FeedCursor } from '../changes/feed-cursor.js'

export const MAX_WEBHOOKS = 100

/** Maximum dead letters of a webhook: the newest are kept. */
export const MAX_DEAD_LETTERS = 1_000

/** Lifetime of a lease: longer than an attempt can take. */
const LEASE_SECONDS = 20

const WEBHOOK = {
  ...pick(tables.webhook, 'id', 'url', 'secret', 'mark', 'disabledReason', 'failures', 'failure', 'createdAt'), position: 'int'
} as const

/** An address that gets events, and the cursor of the last one. */
export type Webhook = Row<typeof WEBHOOK>

type Place = Pick<Webhook, 'id' | 'position' | 'mark'>

export type Webhooks = ReturnType<typeof openWebhooks>

/** Opens the webhooks. Methods that take a {@link Place} return `false` if another process or a command has advanced the webhook. */
export function openWebhooks (connection: Connection, clock: Pick<Clock, 'now'>) {
  const take = leases(connection, { seconds: LEASE_SECONDS, takenAt: true })
  const now = raw(databaseTime(connection))
  const selected = raw(columnNames(WEBHOOK))
  const retryNow = sql`failures = 0, failure = NULL, next_attempt = ${now}`
  const change = async (changes: Sql, condition: Sql) =>
    await execute(connection, sql`UPDATE webhook SET ${changes} WHERE ${condition}`) > 0

  return {
    find: async (id: string) => (await query(connection, WEBHOOK, sql`SELECT ${selected} FROM webhook WHERE id = ${id}`))[0] ?? null,
    /** Lists the enabled webhooks, and whether their next attempt is due. */
    listEnabled: async () => await query(connection, { ...WEBHOOK, isDue: 'boolean' }, sql`
      SELECT ${selected}, next_attempt <= ${now} FROM webhook WHERE disabled_reason IS NULL ORDER BY next_attempt`),

    /** Acquires or renews the lease for deliveries to a webhook. Atomic: one process holds it. */
    lease: async (id: string, holder: string) => await take(leaseName(id), holder),
    async release (id: string, holder: string) {
      await execute(connection, sql`DELETE FROM lease WHERE name = ${leaseName(id)} AND holder = ${holder}`)
    },

    /** Records that an event was delivered. */
    advance: async (webhook: Place, to: FeedCursor) => await change(sql`${setPlace(to)}, ${retryNow}`, isAt(webhook)),

    /** Records a failed attempt, and when the next one is due. */
    async delay (webhook: Place, failure: string, seconds: number) {
      const nextAttempt = new Date(clock.now().getTime() + Math.round(seconds) * 1_000)
      await change(sql`failures = failures + 1, failure = ${failure}, next_attempt = ${nextAttempt}`, isAt(webhook))
    },

    /** Makes an event a dead letter and advances the webhook. Atomic. */
    giveUp: async (webhook: Place, to: FeedCursor, reason: string) => await connection.transact(() => giveUp(webhook, to, reason)),

    disable: async (webhook: Place, reason: string) => await change(sql`disabled_reason = ${reason}`, isAt(webhook)),
    /** Enables a webhook and makes its next attempt due, after another cursor if one is given. Returns `false` for an unknown id. */
    enable: async (id: string, after?: FeedCursor) =>
      await change(sql`disabled_reason = NULL, ${retryNow}${after === undefined ? raw('') : sql`, ${setPlace(after)}`}`, sql`id = ${id}`)
  }

  function * giveUp (webhook: Place, to: FeedCursor, reason: string): Steps<boolean> {
    const moved = yield * executeStep(connection, sql`UPDATE webhook SET ${setPlace(to)}, ${retryNow} WHERE ${isAt(webhook)}`)
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

const leaseName = (id: string) => `webhook ${id}`

function isAt ({ id, position, mark }: Place): Sql {
  return sql`id = ${id} AND position = ${position} AND mark = ${mark}`
}

function setPlace ({ position, mark }: FeedCursor): Sql {
  return sql`position = ${position}, mark = ${mark}`
}

import type { PrismaClient } from '../../generated/sqlite/client.js'
import type { FeedCursor } from '../changes/feed-cursor.js'
import { MAX_WEBHOOKS, type Webhook } from './webhooks.js'

/** An event that a webhook was given up for. */
export interface DeadLetter { readonly position: number, readonly reason: string, readonly at: Date }

/** Webhooks, as commands manage them. */
export interface ManagedWebhooks {
  /** Adds a webhook; `false`: there are {@link MAX_WEBHOOKS}. Atomic. */
  add (webhook: Pick<Webhook, 'id' | 'url' | 'secret' | 'position' | 'mark'>): Promise<boolean>
  /** All of them, oldest first. */
  list (): Promise<Webhook[]>
  /** Atomic: removes a webhook and its dead letters. Returns `false` for an unknown id. */
  remove (id: string): Promise<boolean>
  /** Makes a webhook deliver again, at once. Returns `false` for an unknown id. @param after from another place on */
  enable (id: string, after?: FeedCursor): Promise<boolean>
  listDeadLetters (id: string): Promise<DeadLetter[]>
  removeDeadLetter (id: string, position: number): Promise<void>
}

/** {@link ManagedWebhooks} by Prisma's client. @param now the time of the database's clock */
export function manageWebhooks (client: PrismaClient, now: () => Date): ManagedWebhooks {
  const { webhook, webhookDeadLetter: deadLetter } = client
  return {
    async add ({ id, url, secret, position, mark }) {
      const added = await client.$executeRaw`
        INSERT INTO webhook (id, url, secret, position, mark, failures, next_attempt, created_at)
        SELECT ${id}, ${url}, ${secret}, ${position}, ${mark}, 0, ${now()}, ${now()} WHERE (SELECT count(*) FROM webhook) < ${MAX_WEBHOOKS}`
      return added === 1
    },
    async list () {
      const webhooks = await webhook.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], omit: { nextAttempt: true } })
      return webhooks.map(({ position, ...it }) => ({ ...it, position: Number(position) }))
    },
    async remove (id) {
      // In this order: it waits for an event that is being given up, whose dead letter is then there.
      const [{ count }] = await client.$transaction([
        webhook.deleteMany({ where: { id } }),
        deadLetter.deleteMany({ where: { webhookId: id } })
      ])
      return count === 1
    },
    async enable (id, after) {
      const data = { disabledReason: null, failures: 0, failure: null, nextAttempt: now(), ...after }
      return (await webhook.updateMany({ where: { id }, data })).count === 1
    },
    async listDeadLetters (webhookId) {
      const letters = await deadLetter.findMany({ where: { webhookId }, orderBy: { position: 'asc' }, omit: { webhookId: true } })
      return letters.map(({ position, ...it }) => ({ ...it, position: Number(position) }))
    },
    async removeDeadLetter (webhookId, position) { await deadLetter.deleteMany({ where: { webhookId, position } }) }
  }
}

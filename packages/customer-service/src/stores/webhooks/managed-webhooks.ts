import type { PrismaClient } from '../../generated/sqlite/client.js'
import { MAX_WEBHOOKS, type Webhook } from './webhooks.js'

/** An event that could not be delivered. */
export interface DeadLetter { readonly position: number, readonly reason: string, readonly at: Date }

export type ManagedWebhooks = ReturnType<typeof manageWebhooks>

/** Opens what only commands do with webhooks. @param now the time of the database's clock */
export function manageWebhooks (client: PrismaClient, now: () => Date) {
  const { webhook, webhookDeadLetter: deadLetter } = client
  return {
    /** Adds a webhook; `false`: there are {@link MAX_WEBHOOKS}. Atomic. */
    async add ({ id, url, secret, position, mark }: Pick<Webhook, 'id' | 'url' | 'secret' | 'position' | 'mark'>): Promise<boolean> {
      const added = await client.$executeRaw`
        INSERT INTO webhook (id, url, secret, position, mark, failures, next_attempt, created_at)
        SELECT ${id}, ${url}, ${secret}, ${position}, ${mark}, 0, ${now()}, ${now()} WHERE (SELECT count(*) FROM webhook) < ${MAX_WEBHOOKS}`
      return added === 1
    },
    /** Lists all webhooks, oldest first. */
    async list (): Promise<Webhook[]> {
      const webhooks = await webhook.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], omit: { nextAttempt: true } })
      return webhooks.map(({ position, ...it }) => ({ ...it, position: Number(position) }))
    },
    /** Removes a webhook and its dead letters. Returns `false` for an unknown id. Atomic. */
    async remove (id: string): Promise<boolean> {
      // In this order: it waits until an event in progress has become a dead letter.
      const [{ count }] = await client.$transaction([
        webhook.deleteMany({ where: { id } }),
        deadLetter.deleteMany({ where: { webhookId: id } })
      ])
      return count === 1
    },
    async listDeadLetters (webhookId: string): Promise<DeadLetter[]> {
      const letters = await deadLetter.findMany({ where: { webhookId }, orderBy: { position: 'asc' }, omit: { webhookId: true } })
      return letters.map(({ position, ...it }) => ({ ...it, position: Number(position) }))
    },
    async removeDeadLetter (webhookId: string, position: number): Promise<void> {
      await deadLetter.deleteMany({ where: { webhookId, position } })
    }
  }
}

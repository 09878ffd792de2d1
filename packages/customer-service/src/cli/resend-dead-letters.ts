import { Outgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import type { Config } from '../config.js'
import { createRepresent } from '../customer/event.js'
import { sendEvent } from '../customer/webhooks/send.js'
import type { Stores } from '../stores/open.js'
import type { ManagedWebhooks } from '../stores/webhooks/managed-webhooks.js'
import type { Webhook } from '../stores/webhooks/webhooks.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'

/**
 * Resends the dead letters of a webhook, and stops at the first failure.
 * @param say prints the outcome of each
 * @throws CommandError if one fails
 */
export async function resendDeadLetters (
  webhook: Webhook, { webhooks, feed }: Pick<Stores, 'feed'> & { webhooks: ManagedWebhooks }, config: Config, say: (line: string) => void
): Promise<Array<{ readonly position: number, readonly isDelivered: boolean }>> {
  const outgoing = new Outgoing({ allowPrivateNetworks: config.allowPrivateNetworks, maxAtOnce: 1 })
  const represent = createRepresent(`${config.serviceRoot}/rest/qa/customer`)
  const done: Array<{ position: number, isDelivered: boolean }> = []
  for (const { position } of await webhooks.listDeadLetters(webhook.id)) {
    const change = await feed.find(position)
    if (change !== null) {
      const delivery = await sendEvent(outgoing, webhook, represent(change))
      if (delivery !== 'delivered') {
        throw new CommandError(`Event ${position}: ${delivery === 'gone' ? 'The receiver answered with status 410.' : delivery.failure}`)
      }
    }
    await webhooks.removeDeadLetter(webhook.id, position)
    say(change !== null ? `Event ${position}: delivered.` : `Event ${position}: no longer in the change feed.`)
    done.push({ position, isDelivered: change !== null })
  }
  return done
}

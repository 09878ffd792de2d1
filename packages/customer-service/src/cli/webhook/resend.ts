import { Outgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import type { Config } from '../../config.js'
import { createRepresent } from '../../customer/event.js'
import { sendEvent } from '../../customer/webhooks/send.js'
import type { Stores } from '../../stores/open.js'
import type { Webhook } from '../../stores/webhooks/webhooks.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'

/** Sends the dead letters of a webhook once more; stops at the first failure. @throws CommandError if one fails */
export async function resend (webhook: Webhook, { webhooks, feed }: Stores, config: Config): Promise<void> {
  const outgoing = new Outgoing({ allowPrivateNetworks: config.allowPrivateNetworks, maxAtOnce: 1 })
  const represent = createRepresent(`${config.serviceRoot}/rest/qa/customer`)
  const letters = await webhooks.listDeadLetters(webhook.id)
  for (const { position } of letters) {
    const change = await feed.find(position)
    if (change !== null) {
      const delivery = await sendEvent(outgoing, webhook, represent(change))
      if (delivery !== 'delivered') {
        throw new CommandError(`Event ${position}: ${delivery === 'gone' ? 'The receiver answered with status 410.' : delivery.failure}`)
      }
    }
    await webhooks.removeDeadLetter(webhook.id, position)
    console.log(change !== null ? `Event ${position}: delivered.` : `Event ${position}: no longer in the change feed.`)
  }
  if (letters.length === 0) console.log('There are no dead letters.')
}

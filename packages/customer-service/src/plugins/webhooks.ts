import { Outgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import { periodic } from '@frontdesk/service-kit/plugins/periodic'
import fp from 'fastify-plugin'
import type { Config } from '../config.js'
import { createRepresent } from '../customer/event.js'
import { Deliverer } from '../customer/webhooks/deliverer.js'
import type { Stores } from '../stores/open.js'
import { MAX_WEBHOOKS } from '../stores/webhooks/webhooks.js'

/** How often to look for due deliveries, in milliseconds. */
const INTERVAL_MS = 2_000

interface Options {
  config: Pick<Config, 'allowPrivateNetworks' | 'serviceRoot'>
  stores: Pick<Stores, 'webhooks' | 'feed'>
}

/** Delivers events to webhooks. Only one replica at a time delivers to a webhook. */
export default fp<Options>(async function webhookDelivery (fastify, { config, stores }) {
  const { allowPrivateNetworks, serviceRoot } = config
  const { webhooks, feed } = stores
  if (!feed.isOn) return
  const deliverer = new Deliverer({
    webhooks,
    feed,
    outgoing: new Outgoing({ allowPrivateNetworks, maxAtOnce: MAX_WEBHOOKS }),
    represent: createRepresent(`${serviceRoot}/rest/qa/customer`),
    log: fastify.log
  })
  periodic(fastify, {
    name: 'webhooks', everyMs: INTERVAL_MS, run: () => deliverer.begin(), warning: 'cannot read webhooks; retrying later'
  })
  // Before the process drains, so that another replica continues.
  fastify.stopping.addEventListener('abort', () => {
    deliverer.stop().catch(err => fastify.log.warn({ err }, 'a delivery could not be stopped'))
  })
  fastify.addHook('onClose', () => deliverer.stop())
}, { name: 'webhooks', fastify: '5.x', dependencies: ['drain'] })

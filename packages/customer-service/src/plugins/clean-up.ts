import { randomUUID } from 'node:crypto'
import fp from 'fastify-plugin'
import type { Customers } from '../stores/customers/customer-record.js'

/** How often keys that have ended are removed, in milliseconds. */
const INTERVAL = 5 * 60_000

/** Forgets attempts to add a customer that are long over, on one process at a time. */
export default fp<{ customers: Customers }>(async function cleanUp (fastify, { customers }) {
  const process = randomUUID()
  const timer = setInterval(() => {
    customers.forgetAttempts(process)
      .catch(error => fastify.log.warn({ err: error }, 'clean-up failed; it is tried again later'))
  }, INTERVAL).unref()
  fastify.addHook('onClose', async () => clearInterval(timer))
}, { name: 'clean-up', fastify: '5.x' })

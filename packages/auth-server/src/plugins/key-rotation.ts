import fp from 'fastify-plugin'
import type { KeyRing } from '../keys/key-ring.js'

/** How often the keys are reloaded, in milliseconds: every replica follows a change within this time. */
const INTERVAL = 10_000

/** Reloads the signing keys from the database, makes new ones when due, and retires old ones. */
export default fp<{ keys: KeyRing }>(async function keyRotation (fastify, { keys }) {
  const timer = setInterval(() => {
    keys.refresh().then(({ made, retired }) => {
      for (const kid of made) fastify.log.info({ kid }, 'a new signing key is announced')
      for (const kid of retired) fastify.log.info({ kid }, 'a signing key is retired')
    }, error => fastify.log.error({ err: error }, 'the signing keys could not be read; those that are known sign on'))
  }, INTERVAL).unref()
  fastify.addHook('onClose', async () => clearInterval(timer))
}, { name: 'key-rotation', fastify: '5.x' })

import fp from 'fastify-plugin'
import type { IdTokenSigner } from '../keys/id-token-signer.js'
import type { KeyRing } from '../keys/key-ring.js'

/** How often the keys are reloaded, in milliseconds: every replica follows a change within this time. */
const INTERVAL = 10_000

/** Reloads the signing keys from the database, makes new ones when due, and retires old ones. */
export default fp<{ keys: KeyRing, idTokens: IdTokenSigner }>(async function keyRotation (fastify, { keys, idTokens }) {
  const refresh = () => {
    for (const ring of [keys, idTokens]) {
      ring.refresh().then(({ made, retired }) => {
        for (const kid of made) fastify.log.info({ kid }, 'a new signing key is announced')
        for (const kid of retired) fastify.log.info({ kid }, 'a signing key is retired')
      }, error => fastify.log.error({ err: error }, 'cannot read the signing keys; using the cached keys'))
    }
  }
  // Keys for ID tokens are made once the server answers: an RSA key takes a while.
  fastify.addHook('onListen', refresh)
  const timer = setInterval(refresh, INTERVAL).unref()
  fastify.addHook('onClose', async () => clearInterval(timer))
}, { name: 'key-rotation', fastify: '5.x' })

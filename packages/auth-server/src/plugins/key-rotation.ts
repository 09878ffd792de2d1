import { periodic } from '@frontdesk/service-kit/plugins/periodic'
import fp from 'fastify-plugin'
import type { IdTokenSigner } from '../keys/id-token-signer.js'
import type { KeyRing } from '../keys/key-ring.js'

/** How often the keys are reloaded, in milliseconds: every replica follows a change within this time, also after failures. */
const INTERVAL_MS = 10_000

/** Reloads the signing keys from the database, makes new ones when due, and retires old ones. */
export default fp<{ keys: KeyRing, idTokens: IdTokenSigner }>(async function keyRotation (fastify, { keys, idTokens }) {
  // Separately: an unreadable key of one must not delay the other.
  for (const [name, ring] of [['key-rotation', keys], ['id-token-key-rotation', idTokens]] as const) {
    periodic(fastify, {
      name,
      everyMs: INTERVAL_MS,
      maxBackoffMs: INTERVAL_MS,
      // ID token keys are made after the server listens: an RSA key takes a while.
      runsAtListen: true,
      run: () => refresh(ring),
      warning: 'cannot read the signing keys; using the cached keys',
      level: 'error'
    })
  }

  async function refresh (ring: KeyRing | IdTokenSigner) {
    const { made, retired } = await ring.refresh()
    for (const kid of made) fastify.log.info({ kid }, 'a new signing key is announced')
    for (const kid of retired) fastify.log.info({ kid }, 'a signing key is retired')
  }
}, { name: 'key-rotation', fastify: '5.x' })

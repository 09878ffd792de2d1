import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { createSignInWithPasskey } from '../../../src/consent/sign-in-with-passkey.js'
import { createFactors } from '../../../src/factors/index.js'
import { createSignedResponses } from '../../../src/factors/signed-responses.js'
import { openDataKey } from '../../../src/keys/data-key.js'
import { createLimitSignIn } from '../../../src/sign-in/limit-sign-in.js'
import { relyingParty } from '../factors.js'
import { twoReplicas } from '../stores/two-replicas.js'
import { LANES } from './in-flight.js'

/** Ann, and two replicas on which her factors are used at once. */
export async function prepareFactorRaces (t: Test) {
  const { stores, other, direct } = await twoReplicas(t)
  await stores.users.add({ id: 'ann', username: 'ann', passwordHash: 'x', demo: false })
  const secrets = { secretKey: randomBytes(32).toString('base64url') }
  const key = await openDataKey(stores.factors.key, secrets, 'factors')
  const replicas = [stores, other].map(it => ({
    ...it,
    used: createFactors(it.factors, key, relyingParty),
    signInWithPasskey: createSignInWithPasskey(
      it.users, createSignedResponses(it.factors.passkeys, relyingParty), createLimitSignIn(it.throttles)
    )
  }))
  /** Calls once for each lane, on alternating replicas. */
  const race = async <R>(call: (replica: typeof replicas[number], lane: number) => Promise<R>) =>
    await Promise.all(Array.from({ length: LANES }, async (_, lane) => await call(replicas[lane % 2]!, lane)))
  return { stores, direct, race, secrets, user: { id: 'ann', passwordHash: 'x', epoch: 0 } }
}

/** How many calls succeeded. */
export function winners (results: readonly unknown[]): number {
  return results.filter(it => it !== null && it !== false).length
}

import { isLockTimeout } from '@frontdesk/database/conflict'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { unusableHash } from '../../src/sign-in/password.js'
import type { FactorId } from '../../src/stores/users/takeovers.js'
import { addAuthenticator } from '../support/factors.js'
import { prepareFactorRaces } from '../support/races/factors.js'
import { LANES } from '../support/races/in-flight.js'

export const onBothDatabases = true

const ROUNDS = 25

t.test('sign-ins and factors that are added while a change is denied do not outlive it', async t => {
  const { stores, race, secrets } = await prepareFactorRaces(t)
  const later = new Date(Date.now() + 3_600_000)
  const survivors: unknown[] = []
  let added = 0
  for (let round = 0; round < ROUNDS; round++) {
    const user = (await stores.users.find('ann'))!
    const { id } = await addAuthenticator(stores, secrets, user)
    const announced: FactorId = { kind: 'totp', id }
    const idOf = (lane: number) => `${round}-${lane}`
    const results = await race(async ({ factors, sessions, takeovers, trustedBrowsers }, lane) => {
      if (lane === round % LANES) return await takeovers.stop(linkOf(user.id, announced), unusableHash())
      switch (lane % 4) {
        case 0: return await sessions.add({ idHash: idOf(lane), user, authTime: new Date(), amr: 'pwd', expiresAt: later })
          // Sign-ins that share a transaction do not wait for a locked user for long: the response is 503.
          .catch((error: unknown) => { if (isLockTimeout(error)) return null; else throw error })
        case 1: return await factors.passkeys.enroll(user, { id: idOf(lane), publicKey: 'key', counter: 0n, name: 'Phone' }, ['code'])
        case 2: return await factors.authenticators.enroll(user, { id: idOf(lane), secret: 'x', lastStep: 0, replaces: id, recoveryCodes: [] })
        default: return await trustedBrowsers.add(user, { id: idOf(lane), userAgent: null, createdAt: new Date(), expiresAt: later })
      }
    })
    t.equal((results[round % LANES] as { isMailable: boolean } | null)?.isMailable, false, 'it has no address') // as: of this lane.
    for (const [lane, result] of results.entries()) {
      if (await stores.sessions.find(idOf(lane), new Date()) !== null) survivors.push('session')
      if (await stores.trustedBrowsers.use('ann', idOf(lane), new Date())) survivors.push('browser')
      // What was added before is announced by an email of its own.
      if (lane % 4 === 0 || lane % 4 === 3 || lane === round % LANES || result === null) continue
      added++
      await stores.takeovers.stop(linkOf(user.id, { kind: lane % 4 === 1 ? 'passkey' : 'totp', id: idOf(lane) }), unusableHash())
    }
    if ((await stores.factors.authenticators.find('ann'))?.id === id) survivors.push('announced factor')
    const { authenticator, passkeys } = await stores.factors.find('ann')
    if (authenticator !== null || passkeys.length > 0) survivors.push('added factor')
    t.equal(await stores.factors.passkeys.enroll(user, { id: `late ${round}`, publicKey: 'key', counter: 0n, name: 'Phone' }, []), null)
  }
  t.ok(added > 0, `${added} were added before`)
  t.same(survivors, [])
})

function linkOf (userId: string, factor: FactorId) {
  return { userId, idHash: randomUUID(), keptUntil: new Date(Date.now() + 3_600_000), mailedTo: 'ann@example.com', factor }
}

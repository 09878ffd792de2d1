import t from 'tap'
import { createSetUpRule } from '../../src/factors/set-up-rule.js'
import { prepareFactorRaces, winners } from '../support/races/factors.js'
import { LANES } from '../support/races/in-flight.js'

export const onBothDatabases = true

const ROUNDS = 25
const [OLD, NEW] = ['ann@example.com', 'new@example.com']

/** Ann without a factor, and set-ups of one with a mailed code: apps in even lanes, passkeys in odd ones. */
async function prepare (t: Parameters<typeof prepareFactorRaces>[0]) {
  const prepared = await prepareFactorRaces(t)
  const { stores, user } = prepared
  const permits = createSetUpRule({ ...stores, sendsMail: true, adminAcr: undefined }).permits
  return {
    ...prepared,
    permits,
    enroll: async ({ factors }: Pick<typeof stores, 'factors'>, lane: number, proof: Parameters<typeof permits>[0]) => lane % 2 === 0
      ? await factors.authenticators.enroll(
        user, { id: `${lane}`, secret: 'x', lastStep: 0, replaces: null, recoveryCodes: [`${lane}`] }, permits(proof))
      : await factors.passkeys.enroll(user, { id: `${lane}`, publicKey: 'x', counter: 0n, name: 'x' }, [`${lane}`], permits(proof))
  }
}

for (const by of ['email', 'password'] as const) {
  t.test(`of first factors that are set up at once, one is stored: by ${by}`, async t => {
    const { stores, race, enroll } = await prepare(t)
    const proof = by === 'email' ? { by, address: OLD } : { by }
    if (by === 'email') await stores.profiles.change('ann', { email: OLD, emailVerified: true })
    for (let round = 0; round < ROUNDS; round++) {
      t.equal(winners(await race(async (replica, lane) => await enroll(replica, lane, proof))), 1)
      const { authenticator, passkeys, recoveryCodes } = await stores.factors.find('ann')
      t.same([(authenticator === null ? 0 : 1) + passkeys.length, recoveryCodes], [1, 1])
      await stores.factors.removeAll('ann')
    }
  })
}

t.test('a code that was mailed to an address permits nothing after the address was changed', async t => {
  const { stores, race, enroll } = await prepare(t)
  const proof = { by: 'email', address: OLD } as const
  let [before, refused] = [0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    await stores.profiles.change('ann', { email: OLD, emailVerified: true })
    const results = await race(async (replica, lane) => {
      if (lane !== round % LANES) return await enroll(replica, lane, proof)
      t.ok(await replica.profiles.changeOwn('ann', { email: NEW }, OLD))
      const had = await stores.factors.find('ann')
      const late = await enroll(replica, lane + LANES, proof)
      t.equal(late, null)
      return had.authenticator === null && had.passkeys.length === 0 ? 'none before' : null
    })
    const enrolled = results.filter(it => it !== null && it !== 'none before').length
    if (results.includes('none before')) {
      refused++
      t.equal(enrolled, 0, 'none after the change')
    } else {
      before++
      t.equal(enrolled, 1)
    }
    t.match(await stores.profiles.findAny('ann'), { email: NEW, emailVerified: false })
    await stores.factors.removeAll('ann')
  }
  t.equal(before + refused, ROUNDS)
})

t.test('a password permits nothing after a level was required or an address verified', async t => {
  const { stores, race, enroll } = await prepare(t)
  await stores.roles.add('staff', [])
  await stores.roles.assign('ann', ['staff'])
  for (let round = 0; round < ROUNDS; round++) {
    const isAddress = round % 2 === 0
    await race(async (replica, lane) => {
      if (lane !== round % LANES) return await enroll(replica, lane, { by: 'password' })
      if (isAddress) await replica.profiles.change('ann', { email: OLD, emailVerified: true })
      else await replica.roles.change('staff', [], 'urn:frontdesk:acr:mfa')
      await stores.factors.removeAll('ann')
      t.equal(await enroll(replica, lane + LANES, { by: 'password' }), null)
      return null
    })
    t.equal((await stores.users.find({ id: 'ann' }))?.factors, null, 'none is left that was stored after the change')
    await stores.profiles.change('ann', { email: null })
    await stores.roles.change('staff', [], null)
  }
})

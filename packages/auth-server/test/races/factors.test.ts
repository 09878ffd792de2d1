import t from 'tap'
import { makeRecoveryCodes } from '../../src/factors/recovery-code.js'
import { cleanUp } from '../../src/plugins/clean-up.js'
import { FactorRequiredError } from '../../src/stores/users/factors.js'
import { addAuthenticator, anyone } from '../support/factors.js'
import { prepareFactorRaces, winners } from '../support/races/factors.js'
import { LANES } from '../support/races/in-flight.js'

export const onBothDatabases = true

const ROUNDS = 25

const start = Date.now()
const later = (seconds: number) => new Date(start + seconds * 1_000)
/** Past every lifetime. */
const past = later(200 * 86_400)

t.test('a code of the app is used once, by whichever replica', async t => {
  const { stores, race, secrets, user } = await prepareFactorRaces(t)
  const app = await addAuthenticator(stores, secrets, user)
  const used: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const at = later(round * 30)
    used.push(winners(await race(async ({ used }) => await used.use('ann', { code: app.code(at) }, at))))
  }
  t.same(used, Array(ROUNDS).fill(1))
  await cleanUp(stores, past)
  const last = later((ROUNDS - 1) * 30)
  t.equal(winners(await race(async ({ used }) => await used.use('ann', { code: app.code(last) }, last))), 0, 'nor after a clean-up')
})

t.test('a recovery code is used once, also while new ones are made', async t => {
  const { stores, race, secrets, user } = await prepareFactorRaces(t)
  const app = await addAuthenticator(stores, secrets, user)
  const used: number[] = []
  for (const code of app.codes) used.push(winners(await race(async ({ used }) => await used.use('ann', { code }, later(0)))))
  t.same(used, Array(10).fill(1))
  const survivors: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [before, next] = [makeRecoveryCodes(), makeRecoveryCodes()]
    await stores.factors.recoveryCodes.replace(user, before.hashes)
    const results = await race(async ({ used, factors }, lane) => lane === round % LANES
      ? await factors.recoveryCodes.replace(user, next.hashes) && null
      : await used.use('ann', { code: before.codes[0]! }, later(0)))
    survivors.push(Math.max(0, winners(results) - 1))
    for (const code of before.codes) survivors.push(winners(await race(async ({ used }) => await used.use('ann', { code }, later(0)))))
    t.equal((await stores.factors.find('ann')).recoveryCodes, 10)
  }
  await cleanUp(stores, past)
  for (const code of app.codes) survivors.push(winners(await race(async ({ used }) => await used.use('ann', { code }, past))))
  t.same([...new Set(survivors)], [0])
})

t.test('of concurrent enrolments one succeeds, with its own recovery codes; so does one of concurrent replacements', async t => {
  const { stores, race, user } = await prepareFactorRaces(t)
  for (let round = 0; round < ROUNDS; round++) {
    for (const replaces of [null, 'first']) {
      const made = Array.from({ length: LANES }, makeRecoveryCodes)
      const results = await race(async ({ factors }, lane) => await factors.authenticators.enroll(user, {
        id: replaces === null ? `first-${lane}` : `second-${lane}`,
        secret: `${lane}`,
        lastStep: 0,
        replaces: replaces && (await stores.factors.authenticators.find('ann'))!.id,
        recoveryCodes: made[lane]!.hashes
      }, anyone))
      const won = results.findIndex(it => it !== null)
      t.equal((await stores.factors.find('ann')).recoveryCodes, 10)
      if (replaces === null) {
        t.equal(winners(results), 1)
        t.equal((await stores.factors.authenticators.find('ann'))?.secret, `${won}`)
        t.same(results[won], { areCodesNew: true })
        t.equal(await stores.factors.recoveryCodes.use('ann', made[won]!.hashes[0]!), true)
        await stores.factors.recoveryCodes.replace(user, made[won]!.hashes)
      } else {
        t.ok(winners(results) >= 1)
        t.ok(results.every(it => it === null || !it.areCodesNew), 'the codes stay')
      }
    }
    await stores.factors.removeAll('ann')
  }
})

t.test('no browser stays trusted that was trusted before the app was replaced', async t => {
  const { stores, race, secrets, user } = await prepareFactorRaces(t)
  await addAuthenticator(stores, secrets, user)
  const browser = (id: string) => ({ id, userAgent: null, createdAt: later(0), expiresAt: later(30 * 86_400) })
  for (let round = 0; round < ROUNDS; round++) {
    const replaces = (await stores.factors.authenticators.find('ann'))!.id
    await stores.trustedBrowsers.add(user, browser(`before ${round}`))
    const after = await race(async ({ factors, trustedBrowsers }, lane) => {
      if (lane !== round % LANES) return await trustedBrowsers.use('ann', `before ${round}`, later(1)) && null
      const app = { id: `${round}`, secret: 'x', lastStep: 0, replaces, recoveryCodes: [] }
      await factors.authenticators.enroll(user, app, anyone)
      return await trustedBrowsers.use('ann', `before ${round}`, later(1))
    })
    t.equal(winners(after), 0)
    t.same(await stores.trustedBrowsers.list('ann', later(2)), [])
  }
})

t.test('the last factor that a role requires stays, whatever is concurrent; otherwise one removal succeeds', async t => {
  const { stores, direct, race, secrets, user } = await prepareFactorRaces(t)
  await stores.roles.add('staff', [])
  await stores.roles.assign('ann', ['staff'])
  for (let round = 0; round < ROUNDS; round++) {
    await direct.query("UPDATE role SET required_acr = 'urn:frontdesk:acr:mfa'")
    const { id } = await addAuthenticator(stores, secrets, user)
    const app = { secret: 'x', lastStep: 0, recoveryCodes: [] }
    const refused = await race(async ({ factors }, lane) => lane % 4 === 3
      ? await factors.authenticators.enroll(user, { ...app, id: `new-${lane}`, replaces: id }, anyone) && 'replaced'
      : await factors.removeAuthenticator(user).catch((error: unknown) => error instanceof FactorRequiredError ? 'required' : error))
    t.same([...new Set(refused)].sort(), [null, 'replaced', 'required'].sort())
    t.equal(refused.filter(it => it === 'replaced').length, 1)
    t.match(await stores.factors.find('ann'), { authenticator: {}, recoveryCodes: 10 })
    await direct.query('UPDATE role SET required_acr = NULL')
    t.equal(winners(await race(async ({ factors }) => await factors.removeAuthenticator(user))), 1)
    t.same(await stores.factors.find('ann'), { authenticator: null, passkeys: [], recoveryCodes: 0 })
  }
})

t.test('no browser is trusted after a change of the password, nor does a sign-in from one that was survive', async t => {
  const { stores, race, secrets, user: first } = await prepareFactorRaces(t)
  await addAuthenticator(stores, secrets, first)
  let [user, trusted] = [(await stores.users.find('ann'))!, 0]
  const survivors: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const old = user
    const id = (lane: number) => `${round}-${lane}`
    const browser = (lane: number) => ({ id: id(lane), userAgent: null, createdAt: later(0), expiresAt: later(30 * 86_400) })
    await stores.trustedBrowsers.add(old, browser(99))
    const results = await race(async ({ users, trustedBrowsers, sessions }, lane) => {
      if (lane === round % LANES) return await users.changePassword(old, `hash ${round}`) && null
      if (lane % 2 === 0) return await trustedBrowsers.add(old, browser(lane))
      return await trustedBrowsers.use('ann', id(99), later(1)) &&
        await sessions.add({ idHash: id(lane), user: old, authTime: later(0), amr: 'pwd', expiresAt: later(3_600) })
    })
    trusted += winners(results)
    user = (await stores.users.find('ann'))!
    for (const lane of [99, ...results.keys()]) {
      if (await stores.trustedBrowsers.use('ann', id(lane), later(2))) survivors.push('browser')
      if (await stores.sessions.find(id(lane), later(2)) !== null) survivors.push('session')
    }
    t.same(await stores.trustedBrowsers.list('ann', later(2)), [])
  }
  t.ok(trusted > ROUNDS, `${trusted} before the change`)
  t.same(survivors, [])
  t.equal(await stores.trustedBrowsers.add(user, { id: 'last', userAgent: null, createdAt: later(0), expiresAt: later(30 * 86_400) }), true)
  await cleanUp(stores, past)
  for (const it of ['last', '0-99']) t.equal(await stores.trustedBrowsers.use('ann', it, past), false, 'nor after a clean-up')
})

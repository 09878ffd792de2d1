import { createPasskey } from '@frontdesk/test-kit/passkey'
import t from 'tap'
import { cleanUp } from '../../src/plugins/clean-up.js'
import { FactorRequiredError } from '../../src/stores/users/factors.js'
import { MAX_PASSKEYS } from '../../src/stores/users/passkeys.js'
import { addPasskey, anyone, passkeyForm, relyingParty, SITE } from '../support/factors.js'
import { Browser } from '../support/helper.js'
import { preparePasskeySignIn, SEARCH, signedForm } from '../support/passkey-sign-in.js'
import { prepareFactorRaces, winners } from '../support/races/factors.js'
import { LANES } from '../support/races/in-flight.js'

export const onBothDatabases = true

const ROUNDS = 25

const start = new Date()
const past = new Date(start.getTime() + 200 * 86_400_000)

for (const hasCounter of [true, false]) {
  t.test(`a signature is used once, by whichever replica, ${hasCounter ? 'with' : 'without'} a counter`, async t => {
    const { stores, race, user } = await prepareFactorRaces(t)
    const passkey = await addPasskey(stores, user)
    const used: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const form = passkeyForm(passkey, `page ${round}`, hasCounter ? { counter: round + 1 } : {})
      used.push(winners(await race(async ({ used }) => await used.use('ann', form, start))))
    }
    t.same(used, Array(ROUNDS).fill(1))
    const last = passkeyForm(passkey, `page ${ROUNDS - 1}`, hasCounter ? { counter: ROUNDS } : {})
    await cleanUp(stores, start)
    t.equal(winners(await race(async ({ used }) => await used.use('ann', last, start))), 0, 'nor after a clean-up, while its page is valid')
  })
}

t.test('a response that signs in is used once, by whichever replica', async t => {
  const { stores, race, user } = await prepareFactorRaces(t)
  const passkey = await addPasskey(stores, user)
  const signedIn: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { transaction, code: response } = passkeyForm(passkey, `page ${round}`)
    const results = await race(async ({ signInWithPasskey }, lane) => {
      const visitor = { address: `10.${round}.${lane}.1`, isGone: () => false }
      return (await signInWithPasskey({ transaction, response, now: start }, visitor)).outcome === 'signed in'
    })
    signedIn.push(winners(results))
  }
  t.same(signedIn, Array(ROUNDS).fill(1))
})

t.test('of forms with one response at once, one signs in and gets a code', async t => {
  const { app, stores, ann, passkey, open } = await preparePasskeySignIn(t)
  const { id } = await ann()
  for (let round = 0; round < ROUNDS; round++) {
    const page = open()
    const form = { ...signedForm(await page.get(`/consent?${SEARCH}`), passkey), decision: 'allow' }
    const answers = await Promise.all(Array.from({ length: LANES }, async (_, lane) =>
      await new Browser(app, `10.${round}.${lane}.1`, new Map(page.cookies)).post(`/consent?${SEARCH}`, form)))
    t.same(answers.map(({ statusCode }) => statusCode).sort(), [303, ...Array<number>(LANES - 1).fill(403)])
    t.equal(answers.filter(({ cookies }) => cookies.some(({ name, value }) => name === '__Host-session' && value !== '')).length, 1)
    t.match(await stores.sessions.list(id, new Date()), { sessions: { length: 1 } })
    await stores.users.endAccess(id)
  }
})

t.test('of concurrent responses that create one passkey, one succeeds; a user never has too many', async t => {
  const { stores, race, user } = await prepareFactorRaces(t)
  for (let round = 0; round < ROUNDS; round++) {
    const challenge = `page ${round}`
    const verified = (await relyingParty.verifyCreation(createPasskey(SITE).create({ challenge }), challenge))!
    t.equal(winners(await race(async ({ factors: { passkeys } }) =>
      await passkeys.claim(challenge, past) && await passkeys.enroll(user, { ...verified, name: 'Phone' }, ['x'], anyone))), 1)
    t.equal(winners(await race(async ({ factors: { passkeys } }) => await passkeys.enroll(user, { ...verified, name: 'Phone' }, ['x'], anyone))), 0)
    const others = await Promise.all(Array.from({ length: LANES }, async () =>
      (await relyingParty.verifyCreation(createPasskey(SITE).create({ challenge }), challenge))!))
    for (const half of [0, 1]) {
      await race(async ({ factors: { passkeys } }, lane) =>
        await passkeys.enroll(user, { ...others[lane]!, id: `${half}-${lane}`, name: 'Phone' }, ['x'], anyone))
    }
    t.equal((await stores.factors.passkeys.list('ann')).length, MAX_PASSKEYS)
    t.same(await stores.factors.removeAll('ann'), ['passkey'])
  }
})

t.test('the last passkey stays if a role requires one, whatever is removed at once', async t => {
  const { stores, race, user } = await prepareFactorRaces(t)
  await stores.roles.add('boss', [], 'phr')
  await stores.roles.assign('ann', ['boss'])
  const app = { id: 'app', secret: 'x', lastStep: 0, replaces: null, recoveryCodes: ['x'] }
  for (let round = 0; round < ROUNDS; round++) {
    const passkeys = await Promise.all(Array.from({ length: LANES - 1 }, async () => await addPasskey(stores, user)))
    await stores.factors.authenticators.enroll(user, app, anyone)
    await race(async ({ factors }, lane) => await (lane === round % LANES
      ? factors.removeAuthenticator(user)
      : factors.removePasskey(user, passkeys[lane % (LANES - 1)]!.id)).catch((error: unknown) => {
      t.match(error, { acr: 'phr' })
      return null
    }))
    const left = await stores.factors.find('ann')
    t.ok(left.passkeys.length >= 1, `${left.passkeys.length} passkeys`)
    t.equal(left.authenticator, null, 'the app is not enough, so it can go')
    await stores.factors.removeAll('ann')
  }
})

t.test('the last factor that a role requires stays, whatever is removed at once', async t => {
  const { stores, direct, race, user } = await prepareFactorRaces(t)
  await stores.roles.add('staff', [])
  await stores.roles.assign('ann', ['staff'])
  await direct.query("UPDATE role SET required_acr = 'urn:frontdesk:acr:mfa'")
  const app = { id: 'app', secret: 'x', lastStep: 0, replaces: null, recoveryCodes: ['x'] }
  const left: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const passkeys = await Promise.all(Array.from({ length: LANES - 1 }, async () => await addPasskey(stores, user)))
    await stores.factors.authenticators.enroll(user, app, anyone)
    const required = await race(async ({ factors }, lane) => await (lane === LANES - 1
      ? factors.removeAuthenticator(user)
      : factors.removePasskey(user, passkeys[lane]!.id)).catch((error: unknown) => error instanceof FactorRequiredError ? null : error))
    t.equal(winners(required), LANES - 1)
    const factors = await stores.factors.find('ann')
    left.push(factors.passkeys.length + (factors.authenticator === null ? 0 : 1))
    t.equal(factors.recoveryCodes, 1)
    await stores.factors.removeAll('ann')
  }
  t.same(left, Array(ROUNDS).fill(1))
})

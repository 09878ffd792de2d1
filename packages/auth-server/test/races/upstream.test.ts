import { randomUUID } from 'node:crypto'
import t from 'tap'
import { hashOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { Browser } from '../support/helper.js'
import { startHostile } from '../support/hostile-provider.js'
import { changeAfter } from '../support/races/change-after.js'
import { LANES } from '../support/races/in-flight.js'
import { twoReplicas } from '../support/stores/two-replicas.js'

export const onBothDatabases = true

const ROUNDS = 10
const ISSUER = 'https://upstream.example'

async function prepare (t: Parameters<typeof twoReplicas>[0]) {
  const { stores, other } = await twoReplicas(t)
  const lanes = async <R>(call: (identities: typeof stores.upstreamIdentities, lane: number) => Promise<R>) =>
    await Promise.all(Array.from({ length: LANES }, async (_, lane) =>
      await call((lane % 2 === 0 ? stores : other).upstreamIdentities, lane)))
  const newUser = (email: string, username = email) =>
    ({ id: randomUUID(), username, email, emailVerified: true, passwordHash: 'x', demo: false })
  return { stores, lanes, newUser }
}

t.test('of concurrent first sign-ins with one identity, one adds the user', async t => {
  const { stores, lanes, newUser } = await prepare(t)
  for (let round = 0; round < ROUNDS; round++) {
    const identity = { idHash: `identity-${round}`, issuer: ISSUER }
    const outcomes = await lanes(async (identities, lane) => await identities.addUser(newUser(`eve${round}.${lane}@example.com`), identity))
    t.equal(outcomes.filter(it => it === 'added').length, 1)
    t.equal(outcomes.filter(it => it === 'known identity').length, LANES - 1)
    t.equal((await stores.users.list()).length, round + 1)
  }
})

t.test('of concurrent first sign-ins with one address, one adds the user', async t => {
  const { stores, lanes, newUser } = await prepare(t)
  for (let round = 0; round < ROUNDS; round++) {
    await stores.users.add({ ...newUser(`eve${round}@example.com`, `squatter ${round}`), emailVerified: false })
    const outcomes = await lanes(async (identities, lane) =>
      await identities.addUser(newUser(`EVE${round}@example.com`, `eve${round}.${lane}`), { idHash: `${round}.${lane}`, issuer: ISSUER }))
    t.equal(outcomes.filter(it => it === 'added').length, 1)
    t.equal(outcomes.filter(it => it === 'known address').length, LANES - 1)
    const holders = await Promise.all(Array.from({ length: LANES }, (_, lane) => stores.upstreamIdentities.holder(`${round}.${lane}`)))
    t.equal(holders.filter(it => it !== null).length, 1, 'no identity is left over')
  }
})

t.test('of concurrent connections of one identity, or of one user, one succeeds', async t => {
  const { stores, lanes } = await prepare(t)
  const users = Array.from({ length: 2 * LANES }, (_, number) => ({ id: `user-${number}`, passwordHash: 'x', epoch: 0 }))
  for (const user of users) await stores.users.add({ ...user, username: user.id, demo: false })
  for (let round = 0; round < ROUNDS; round++) {
    const taken = await lanes(async (identities, lane) =>
      await identities.connect({ ...users[lane]!, epoch: 0 }, { idHash: `one-${round}`, issuer: ISSUER }))
    t.equal(taken.filter(it => it === 'connected').length, round < LANES ? 1 : 0)
    t.equal(taken.filter(it => it === 'taken').length, LANES - 1)
  }
  const own = await lanes(async (identities, lane) => await identities.connect(users[LANES]!, { idHash: `own-${lane}`, issuer: ISSUER }))
  t.equal(own.filter(it => it === 'connected').length, 1)
  t.equal(own.filter(it => it === 'taken').length, LANES - 1)
})

t.test('a response signs in once, however often it is opened at once', async t => {
  const { app, stores, issuer, press } = await startHostile(t)
  const ann = (await stores.users.find('ann'))!
  await stores.upstreamIdentities.connect(ann, { idHash: hashOpaqueToken(JSON.stringify([issuer, 'zoe'])), issuer })
  const browser = new Browser(app)
  const response = await press(browser)
  const answers = await Promise.all(Array.from({ length: LANES }, async () => await new Browser(app, '192.0.2.1', browser.cookies).get(response)))
  t.same(answers.map(it => it.statusCode).sort(), [303, ...Array<number>(LANES - 1).fill(400)])
})

t.test('no sign-in in flight survives that its account is disconnected, or its user disabled', async t => {
  const { app, stores, issuer, press } = await startHostile(t)
  const identity = { idHash: hashOpaqueToken(JSON.stringify([issuer, 'zoe'])), issuer }
  const ann = async () => (await stores.users.find('ann'))!
  const ends: Array<() => Promise<unknown>> = [
    async () => await stores.upstreamIdentities.disconnect(await ann()),
    async () => await stores.upstreamIdentities.remove((await ann()).id),
    async () => await stores.users.setDisabled('ann', new Date())
  ]
  let [survivors, given] = [0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    await stores.users.setDisabled('ann', null)
    await stores.upstreamIdentities.connect(await ann(), identity)
    const browsers = Array.from({ length: LANES }, (_, lane) => new Browser(app, `192.0.2.${round * LANES + lane}`))
    const responses = await Promise.all(browsers.map(async browser => await press(browser)))
    const requests = browsers.map((browser, lane) => async () => await browser.get(responses[lane]!))
    const answers = await changeAfter(round, ends[round % ends.length]!, requests)
    given += answers.filter(it => it.statusCode === 303).length
    await stores.users.setDisabled('ann', null)
    const pages = await Promise.all(browsers.map(async browser => await browser.get('/account')))
    survivors += pages.filter(({ body }) => body.includes('value="everywhere"')).length
  }
  t.ok(given > 0, `${given} sign-ins`)
  t.equal(survivors, 0)
})

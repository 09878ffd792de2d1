import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config.js'
import { PASSWORD_LINK_TTL } from '../../../src/lifetimes.js'
import { cost, hashPassword } from '../../../src/sign-in/password.js'
import { createPasswordLinks } from '../../../src/sign-in/password-link.js'
// What it adds to Fastify's types.
import type {} from '../../../src/plugins/clock.js'
import { codeClient, exchangeForm, form, getCode, post } from '../../support/code-flow.js'
import { Browser, build, query, standardCost } from '../../support/helper.js'

export const onBothDatabases = true

async function prepare (t: Test) {
  const built = await build(t)
  const { app, stores } = built
  const links = createPasswordLinks(stores, loadConfig({}))
  const issue = async (secondsAgo = 0) =>
    await links.issue((await stores.users.find('ann'))!, {}, new Date(app.clock.now().getTime() - secondsAgo * 1_000))
  const set = async (link: string, password: string) => await post(app, '/set-password', form({ link, new_password: password }))
  const signIn = async (password: string) =>
    (await new Browser(app).allow(query(), { username: 'ann', password })).statusCode
  return { ...built, issue, set, signIn }
}

/** Returns how many passwords were hashed since the last call: each hash reads the cost, as often as the first one here. */
async function hashCounter (t: Test): Promise<() => number> {
  let reads = 0
  const { timeCost } = cost
  const get = () => {
    reads++
    return timeCost
  }
  Object.defineProperty(cost, 'timeCost', { get, configurable: true, enumerable: true })
  t.teardown(() => Object.defineProperty(cost, 'timeCost', { value: timeCost, writable: true, configurable: true, enumerable: true }))
  await hashPassword('a password')
  const readsPerHash = reads
  reads = 0
  return () => {
    const hashes = reads / readsPerHash
    reads = 0
    return hashes
  }
}

const ENDED = 'This link has expired, or was used before.'

t.test('a link sets the password once, and ends sessions and tokens', async t => {
  const { app, stores, issue, set, signIn } = await prepare(t)
  await stores.clients.put(codeClient({ implicit: 'allowed' }))
  const before = new Browser(app)
  await before.allow()
  const { refresh_token: refreshToken } = (await post(app, '/token', exchangeForm(await getCode(app)))).json<{ refresh_token: string }>()
  const link = await issue()
  const other = await issue()

  const page = await new Browser(app).get(`/set-password?link=${link}`)
  t.match(page, { statusCode: 200, headers: { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' } })
  t.match(page.body, '<strong>ann</strong>')
  t.equal(await signIn('correct horse'), 303, 'opening it changes nothing')

  t.match(await set(link, 'battery staple'), { statusCode: 200, body: /Password set/ })
  t.equal(await signIn('correct horse'), 403)
  t.equal(await signIn('battery staple'), 303)
  t.match((await before.get('/account')).body, 'Sign in to your account')
  const refreshed = await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: refreshToken }))
  t.equal(refreshed.json<{ error: string }>().error, 'invalid_grant')
  for (const spent of [link, other]) {
    t.match(await set(spent, 'a third password'), { statusCode: 410, body: new RegExp(ENDED) })
    t.match(await new Browser(app).get(`/set-password?link=${spent}`), { statusCode: 410 })
  }
  t.equal(await signIn('battery staple'), 303)
  await app.auditTrail.flush()
  t.match((await stores.audit.list({ event: 'password' }, 10)).map(({ outcome }) => outcome), ['link'])
})

t.test('100 uses of a link at once: one sets its password, and no other one is hashed', async t => {
  standardCost(t)
  const countHashes = await hashCounter(t)
  const { issue, set, signIn } = await prepare(t)
  for (let round = 0; round < 3; round++) {
    const link = await issue()
    const passwords = Array.from({ length: 100 }, (_, i) => `password ${round}-${i}`)
    const answers = await Promise.all(passwords.map(async password => await set(link, password)))
    const winners = passwords.filter((_, i) => answers[i]?.statusCode === 200)
    t.equal(winners.length, 1)
    t.equal(answers.filter(({ statusCode }) => statusCode === 410 || statusCode === 503).length, 99)
    t.equal(countHashes(), 1)
    t.equal(await signIn(winners[0]!), 303)
  }
})

t.test('a password that is not acceptable keeps the link', async t => {
  const { issue, set, signIn } = await prepare(t)
  const link = await issue()
  for (const password of ['', 'short', 'x'.repeat(1_025)]) {
    t.match(await set(link, password), { statusCode: 403, body: /Your password wasn't changed\.<\/strong> The password is too (short|long)/ })
  }
  t.equal((await set(link, 'long enough')).statusCode, 200)
  t.equal(await signIn('long enough'), 303)
})

t.test('a link ends after a day, when the password or the access of the person ends, and while the person is disabled', async t => {
  const { app, stores, issue } = await prepare(t)
  const status = async (link: string) => (await new Browser(app).get(`/set-password?link=${link}`)).statusCode
  t.equal(await status(await issue(PASSWORD_LINK_TTL - 60)), 200)
  t.equal(await status(await issue(PASSWORD_LINK_TTL + 1)), 410)
  const ends: Array<[name: string, end: () => Promise<unknown>]> = [
    ['password', async () => await stores.users.setPassword('ann', 'x')],
    ['sign out everywhere', async () => await stores.users.endAccess((await stores.users.find('ann'))!.id)],
    ['disabled', async () => await stores.users.setDisabled('ann', new Date())],
    ['removed', async () => await stores.users.remove('ann')]
  ]
  for (const [name, end] of ends) {
    await stores.users.setDisabled('ann', null)
    const link = await issue()
    t.equal(await status(link), 200, name)
    await end()
    t.equal(await status(link), 410, name)
  }
})

t.test('a link with another name on it, of another server, or none, is refused', async t => {
  const { app, stores, issue, set } = await prepare(t)
  const link = await issue()
  const ann = (await stores.users.find('ann'))!
  const foreign = await createPasswordLinks(stores, { secretKey: 'of another server' }).issue(ann, {}, new Date())
  await stores.users.rename('ann', 'anna')
  t.equal((await new Browser(app).get(`/set-password?link=${link}`)).statusCode, 200, 'a new user name changes nothing')
  for (const wrong of ['', 'x', `${link.slice(0, -4)}AAAA`, foreign]) {
    t.match(await set(wrong, 'battery staple'), { statusCode: 410, body: new RegExp(ENDED) })
  }
  const ended = await new Browser(app).get('/set-password')
  t.match(ended, { statusCode: 410, body: '<a class="button primary" href="/account">Sign in to your account</a>' })
  t.notMatch(ended.body, 'Forgot your password?', 'no mail server is set')
  t.equal((await stores.users.find('anna'))?.passwordHash, ann.passwordHash)
})

t.test('no log line holds a link', async t => {
  const { app, issue, set, logs } = await prepare(t)
  const link = await issue()
  await new Browser(app).get(`/set-password?link=${link}`)
  await set(link, 'battery staple')
  await set(link, 'battery staple')
  t.ok(logs.length > 3)
  for (const secret of [link, 'battery staple']) t.notOk(logs.join('').includes(secret))
})

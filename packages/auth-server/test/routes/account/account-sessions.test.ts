import { randomUUID } from 'node:crypto'
import t from 'tap'
import { describeDevice } from '../../../src/input/user-agent.js'
import { translator } from '../../../src/languages/translator.js'
import { Browser, build, formTokenOf, type Built } from '../../support/helper.js'

export const onBothDatabases = true

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'

/** Signs in at the account page, as a browser of that name; gives the page. */
async function enter ({ app }: Pick<Built, 'app'>, browser: Browser, { username = 'ann', userAgent = FIREFOX } = {}) {
  const transaction = formTokenOf(await browser.get('/account'))
  const answer = await app.inject({
    method: 'POST',
    url: '/account',
    payload: new URLSearchParams({ transaction, decision: 'sign-in', username, password: 'correct horse' }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': userAgent,
      cookie: [...browser.cookies].map(pair => pair.join('=')).join('; ')
    }
  })
  for (const { name, value } of answer.cookies) browser.cookies.set(name, value)
  return answer
}

const idsOf = (body: string) => [...body.matchAll(/name="session" value="([\w-]{43})"/g)].map(([, id]) => id!)

t.test('the account page lists the sessions of a person, each with its browser, and ends one of them', async t => {
  const built = await build(t)
  const { app, stores } = built
  const [here, there] = [new Browser(app), new Browser(app)]
  await enter(built, there)
  const page = await enter(built, here, { userAgent: 'x'.repeat(5_000) })
  t.match(page.body, /Firefox on Windows/)
  t.equal(page.body.match(/this browser/g)?.length, 1)
  const [id, ...others] = idsOf(page.body)
  t.same(others, [], 'its own session is ended by signing out')
  t.not(id, there.cookies.get('__Host-session'), 'the id of a session on the page is no session cookie')
  const ended = await here.post('/account', { transaction: formTokenOf(page), decision: 'end', session: id! })
  t.match([ended.statusCode, ended.headers.location], [303, '/account'])
  t.match((await here.get('/account')).body, /Signed out on that device\..*Your account/s)
  t.match((await there.get('/account')).body, 'Sign in to your account')
  t.same(idsOf((await here.get('/account')).body), [])
  await app.auditTrail.flush()
  t.match(await stores.audit.list({ event: 'sign-out' }, 10), [{ outcome: 'other session' }])
})

t.test('a person ends only sessions of their own', async t => {
  const built = await build(t)
  const { app, stores } = built
  await stores.users.add({ id: randomUUID(), username: 'bob', passwordHash: (await stores.users.find('ann'))!.passwordHash, demo: false })
  const [ann, bob, other] = [new Browser(app), new Browser(app), new Browser(app)]
  await enter(built, ann)
  await enter(built, other)
  const page = await enter(built, bob, { username: 'bob' })
  t.same(idsOf(page.body), [], 'nor are others shown')
  const [id] = idsOf((await ann.get('/account')).body)
  await bob.post('/account', { transaction: formTokenOf(page), decision: 'end', session: id! })
  t.match((await other.get('/account')).body, 'Your account')
  t.match(
    (await ann.post('/account', { transaction: formTokenOf(page), decision: 'end', session: id! })).statusCode,
    403,
    'with the form of another browser'
  )
})

t.test('signing out here ends the session of this browser alone', async t => {
  const built = await build(t)
  const [here, there] = [new Browser(built.app), new Browser(built.app)]
  await enter(built, there)
  const transaction = formTokenOf(await enter(built, here))
  t.match((await here.post('/account', { transaction, decision: 'sign-out' })).body, /You(&#39;|')re signed out/)
  t.match((await here.get('/account')).body, 'Sign in to your account')
  t.match((await there.get('/account')).body, 'Your account')
})

t.test('when a browser was seen is recorded at most every few minutes, and never set back', async t => {
  const built = await build(t)
  const { stores } = built
  const browser = new Browser(built.app)
  await enter(built, browser)
  const { id: userId } = (await stores.users.find('ann'))!
  const { id, lastSeen, authTime } = (await stores.sessions.list(userId, new Date())).sessions[0]!
  t.ok(lastSeen.getTime() - authTime.getTime() < 60_000)
  const later = (minutes: number) => new Date(authTime.getTime() + minutes * 60_000)
  const seen = async () => (await stores.sessions.list(userId, new Date())).sessions[0]!.lastSeen
  await stores.sessions.see(id, later(4), later(-1))
  t.same(await seen(), lastSeen, 'not yet')
  await Promise.all([6, 6, 6].map(minutes => stores.sessions.see(id, later(minutes), later(minutes - 5))))
  t.same(await seen(), later(6))
  await stores.sessions.see(id, later(2), later(-3))
  t.same(await seen(), later(6))
})

t.test('no more than 50 sessions are listed', async t => {
  const built = await build(t)
  const user = (await built.stores.users.find('ann'))!
  const now = new Date()
  const page = await enter(built, new Browser(built.app))
  t.notMatch(page.body, 'more browsers')
  for (let i = 0; i < 60; i++) {
    await built.stores.sessions.add({
      idHash: `session-${i}`,
      user,
      authTime: now,
      amr: 'pwd',
      expiresAt: new Date(now.getTime() + (i < 55 ? 60_000 : -1)),
      userAgent: null
    })
  }
  const { sessions, more } = await built.stores.sessions.list(user.id, now)
  t.same([sessions.length, more], [50, true])
  t.equal((await built.stores.sessions.list(randomUUID(), now)).sessions.length, 0)
})

t.test('times are UTC without a script; the account page runs its own script and no other', async t => {
  const built = await build(t)
  const page = await enter(built, new Browser(built.app))
  t.match(page.body, /<time datetime="[\d-]+T[\d:.]+Z">\d+ \w+ \d+, \d\d:\d\d UTC<\/time>/)
  t.match(
    page.headers['content-security-policy'],
    /^default-src 'none'; script-src 'sha256-[\w+/]+='; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/
  )
  t.equal(page.body.match(/<script/g)?.length, 1)
  for (const path of ['/sign-out', '/nothing', '/problems']) {
    const { body, headers } = await new Browser(built.app).get(path)
    t.notMatch(body, '<script', path)
    t.notMatch(headers['content-security-policy'], 'script-src', path)
  }
})

t.test('a browser is described in plain words', async t => {
  const rows: Array<[userAgent: string | null, description: string]> = [
    [FIREFOX, 'Firefox on Windows'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
      'Safari on macOS'
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
      'Safari on iOS'
    ],
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
      'Chrome on Android'
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0',
      'Microsoft Edge on Windows'
    ],
    ['curl/8.5.0', 'curl'],
    ['python-requests/2.32.3', 'python-requests'],
    ['Mozilla/5.0', 'Unknown browser'],
    [`${'x'.repeat(65)}/1`, 'Unknown browser'],
    ['', 'Unknown browser'],
    [null, 'Unknown browser'],
    ['\u00e9\u0001<b>', 'Unknown browser']
  ]
  for (const [userAgent, description] of rows) t.equal((await translator('en')).text(describeDevice(userAgent)), description, String(userAgent))
})

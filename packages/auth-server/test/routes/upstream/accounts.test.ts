import t from 'tap'
import { Browser, formTokenOf } from '../../support/helper.js'
import { connectUpstream, signInUpstream, startPair, type Pair } from '../../support/upstream.js'

export const onBothDatabases = true

const DOMAINS = { UPSTREAM_DOMAINS: 'example.com, example.org' }

/** Gives the user at the provider an email address. */
async function setEmail ({ upstream }: Pair, email: string, emailVerified = true) {
  await upstream.stores.profiles.change('ann', { email, emailVerified, name: 'Ann Example', locale: 'de' })
}

t.test('a verified address of a listed domain gets an account once, and signs in to it from then on', async t => {
  const pair = await startPair(t, DOMAINS)
  const { stores, app } = pair
  await setEmail(pair, 'Ann@Example.com.')
  const browser = new Browser(app)
  t.equal((await signInUpstream(pair, browser, '/account')).statusCode, 303)
  t.match((await browser.get('/account')).body, /lang="de".*Ann@example\.com/s)
  const added = await stores.users.find('ann@example.com')
  t.match(await stores.profiles.findAny('ann@example.com'), {
    username: 'Ann@example.com', email: 'Ann@example.com', emailVerified: true, name: 'Ann Example', locale: 'de'
  })
  t.same(await stores.roles.of(added!.id), [])
  await setEmail(pair, 'ann@other.example')
  t.equal((await signInUpstream(pair, new Browser(app), '/account')).statusCode, 303, 'the address there can change')
  t.equal((await stores.users.list()).length, 2)
  const { rows } = await stores.users.exportRows(added!.id)
  t.match(rows.upstreamIdentities, [{ issuer: pair.upstream.issuer.origin, createdAt: Date, lastUsedAt: Date }])
})

t.test('no other address gets one', async t => {
  const pair = await startPair(t, DOMAINS)
  const refused: Array<[string, string, boolean]> = [
    ['an unverified address', 'ann@example.com', false],
    ['another domain', 'ann@example.net', true],
    ['a subdomain', 'ann@sub.example.com', true],
    ['a longer domain', 'ann@notexample.com', true],
    ['an address that is no user name', `${'a'.repeat(95)}@example.com`, true]
  ]
  for (const [name, email, isVerified] of refused) {
    await setEmail(pair, email, isVerified)
    const { statusCode, body } = await signInUpstream(pair, new Browser(pair.app), '/account')
    t.equal(statusCode, 403, name)
    t.match(body, 'No account here is connected', name)
  }
  t.equal((await pair.stores.users.list()).length, 1)
})

const holders: Array<[string, (pair: Pair) => Promise<unknown>]> = [
  ['verified', async ({ stores }) => await stores.profiles.change('ann', { email: 'ANN@example.com', emailVerified: true })],
  ['of a disabled user', async ({ stores }) => {
    await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
    await stores.users.setDisabled('ann', new Date())
  }],
  ['as a user name', async ({ stores }) => {
    await stores.users.add({ id: 'x', username: 'ann@example.com', passwordHash: 'x', demo: false })
  }]
]
for (const [name, give] of holders) {
  t.test(`an account with the same address, ${name}, is neither used nor doubled`, async t => {
    const pair = await startPair(t, DOMAINS)
    await setEmail(pair, 'ann@example.com')
    await give(pair)
    const before = (await pair.stores.users.list()).length
    const { statusCode, body } = await signInUpstream(pair, new Browser(pair.app), '/account')
    t.equal(statusCode, 409)
    t.match(body, 'There is already an account here with your email address.')
    t.equal((await pair.stores.users.list()).length, before)
  })
}

t.test('an address that someone here has only entered blocks no one; their account stays as it is', async t => {
  const pair = await startPair(t, DOMAINS)
  const { stores, app } = pair
  await setEmail(pair, 'ann@example.com')
  await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: false })
  t.equal((await signInUpstream(pair, new Browser(app), '/account')).statusCode, 303)
  t.match(await stores.profiles.findAny('ann@example.com'), { emailVerified: true })
  t.match(await stores.profiles.findAny('ann'), { email: 'ann@example.com', emailVerified: false })
  t.equal(await stores.upstreamIdentities.find((await stores.users.find('ann'))!.id), null)
})

t.test('a disabled user cannot come back, nor one who was erased, until they connect it again themselves', async t => {
  const pair = await startPair(t, DOMAINS)
  const { stores, app } = pair
  await setEmail(pair, 'ann@example.com')
  await signInUpstream(pair, new Browser(app), '/account')
  await stores.users.setDisabled('ann@example.com', new Date())
  t.equal((await signInUpstream(pair, new Browser(app), '/account')).statusCode, 403)
  await stores.users.remove('ann@example.com')
  const erased = await signInUpstream(pair, new Browser(app), '/account')
  t.equal(erased.statusCode, 403)
  t.equal(await stores.users.find('ann@example.com'), null)
  t.equal((await connectUpstream(pair, new Browser(app))).headers.location, '/account/upstream')
  t.equal((await signInUpstream(pair, new Browser(app), '/account')).statusCode, 303)
})

t.test('an identity belongs to one user, and a user has one', async t => {
  const pair = await startPair(t)
  const { app, stores, upstream } = pair
  const browser = new Browser(app)
  await connectUpstream(pair, browser)
  t.match((await browser.get('/account/upstream')).body, 'Account connected. You can now sign in with it.')
  const again = await connectUpstream(pair, new Browser(app))
  t.equal(again.statusCode, 409)
  t.match(again.body, 'already connected to an account here')
  t.match(await stores.upstreamIdentities.find((await stores.users.find('ann'))!.id), { issuer: upstream.issuer.origin, lastUsedAt: null })
})

t.test('a user disconnects with the password: it signs no one in any more, and other sessions end', async t => {
  const pair = await startPair(t)
  const { app, stores } = pair
  const [browser, other] = [new Browser(app), new Browser(app)]
  await connectUpstream(pair, browser)
  await signInUpstream(pair, other, '/account')
  const form = async (password: string) => await browser.post('/account/upstream', {
    transaction: formTokenOf(await browser.get('/account/upstream')), decision: 'disconnect', password
  })
  const wrong = await form('wrong')
  t.equal(wrong.statusCode, 403)
  t.match(wrong.body, 'Wrong password.')
  t.equal((await form('correct horse')).statusCode, 303)
  t.match((await browser.get('/account/upstream')).body, 'Disconnected.')
  t.match((await other.get('/account')).body, 'Sign in to your account')
  t.equal((await signInUpstream(pair, new Browser(app), '/account')).statusCode, 403)
  await app.auditTrail.flush()
  const events = await stores.audit.list({ event: 'upstream' }, 10)
  t.same(events.map(it => it.outcome), ['disconnected', 'connected'])
})

t.test('a connection needs the user who began it, still signed in with the same password', async t => {
  const pair = await startPair(t)
  const { app, stores } = pair
  const begin = async (browser: Browser) => {
    const signIn = formTokenOf(await browser.get('/account'))
    await browser.post('/account', { transaction: signIn, decision: 'sign-in', username: 'ann', password: 'correct horse' })
    const transaction = formTokenOf(await browser.get('/account/upstream'))
    const { headers } = await browser.post('/account/upstream', { transaction, decision: 'connect', password: 'correct horse' })
    t.match(headers.location, /&prompt=select_account(&|$)/, 'someone else can be signed in at the provider')
    return await pair.answerOf(String(headers.location))
  }
  const signedOut = new Browser(app)
  const answer = await begin(signedOut)
  for (const name of [...signedOut.cookies.keys()].filter(it => it.includes('session'))) signedOut.cookies.delete(name)
  t.equal((await signedOut.get(answer)).statusCode, 400)
  const changed = new Browser(app)
  const late = await begin(changed)
  await stores.users.setPassword('ann', (await stores.users.find('ann'))!.passwordHash)
  t.equal((await changed.get(late)).statusCode, 400)
  t.equal(await stores.upstreamIdentities.find((await stores.users.find('ann'))!.id), null)
})

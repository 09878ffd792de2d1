import type { IncomingMessage } from 'node:http'
import t from 'tap'
import { codeClient, codeQuery } from '../../support/code-flow.js'
import { countRows } from '../../support/database.js'
import { Browser } from '../../support/helper.js'
import { startHostile } from '../../support/hostile-provider.js'
import { pressUpstream } from '../../support/upstream.js'

const ENDED = { statusCode: 400, body: /has expired, was already used, or began in another browser/ }
const DOMAINS = { UPSTREAM_DOMAINS: 'example.com' }

t.test('a response is only for the browser in which the sign-in began (login CSRF)', async t => {
  const { app, press } = await startHostile(t)
  const response = await press(new Browser(app))
  const other = new Browser(app)
  t.match(await other.get(response), ENDED, 'without any cookie')
  await other.get('/account')
  t.match(await other.get(response), ENDED, 'with another cookie')
})

t.test('a response works once, and for ten minutes, whatever the replica\'s clock', async t => {
  const { app, stores: { clock: { now } }, attempt, press } = await startHostile(t)
  // From now on, ID tokens live for an hour: the provider's clock is not moved.
  await attempt({ claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } })
  const at = (seconds: number) => Object.assign(app.clock, { now: () => new Date(now().getTime() + seconds * 1_000) })
  t.teardown(() => at(0))
  const browser = new Browser(app)
  const rows: Array<[name: string, seconds: number, statusCode: number]> = [
    ['after nine minutes', 9 * 60, 403],
    ['after ten minutes', 10 * 60, 400],
    ['on a replica that is a minute behind', -59, 403],
    ['on a replica that is further behind', -62, 400]
  ]
  for (const [name, seconds, statusCode] of rows) {
    const response = await press(browser)
    at(seconds)
    t.equal((await browser.get(response)).statusCode, statusCode, name)
    at(0)
  }
  const response = await press(browser)
  t.equal((await browser.get(response)).statusCode, 403, 'no account is connected')
  t.match(await browser.get(response), ENDED)
})

t.test('a changed state is refused before anything is requested', async t => {
  const { app, press, requests } = await startHostile(t)
  const browser = new Browser(app)
  const response = await press(browser)
  const before = requests.length
  const changes: Array<[string, (query: URLSearchParams) => void]> = [
    ['another letter', query => query.set('state', (query.get('state') ?? '').replace(/.(?=.{40}$)/, it => it === 'A' ? 'B' : 'A'))],
    ['none', query => query.delete('state')],
    ['two', query => query.append('state', query.get('state') ?? '')],
    ['NUL', query => query.set('state', '\0')]
  ]
  for (const [name, change] of changes) {
    const query = new URLSearchParams(response.split('?')[1])
    change(query)
    t.match((await browser.get(`/upstream/callback?${query}`)).statusCode, 400, name)
  }
  t.equal(requests.length, before)
})

t.test('the button needs the form of its page, in its browser', async t => {
  const { app, requests } = await startHostile(t)
  const browser = new Browser(app)
  await browser.get('/account')
  t.equal((await browser.post('/account', { decision: 'upstream' })).statusCode, 403)
  t.equal((await browser.post('/account', { decision: 'upstream', transaction: await new Browser(app).consent() })).statusCode, 403)
  t.same(requests, [])
})

t.test('a source with many failures waits, and passwords still work', async t => {
  const { app, press } = await startHostile(t)
  const browser = new Browser(app)
  for (let visit = 0; visit < 40; visit++) t.equal((await browser.get('/upstream/callback?state=x')).statusCode, 400, 'counts nothing')
  for (let failure = 0; failure < 30; failure++) t.equal((await browser.get(await press(browser))).statusCode, 403)
  t.match(await browser.get(await press(browser)), { statusCode: 429, headers: { 'retry-after': /^\d+$/ } })
  t.equal((await browser.allow()).statusCode, 303)
  const elsewhere = new Browser(app, '192.0.2.2')
  t.equal((await elsewhere.get(await press(elsewhere))).statusCode, 403)
})

t.test('sign-ins that succeed do not count', async t => {
  const { app, attempt, press } = await startHostile(t, DOMAINS)
  const claims = { email: 'zoe@example.com', email_verified: true }
  t.equal((await attempt({ claims })).statusCode, 303)
  for (let time = 0; time < 31; time++) {
    const browser = new Browser(app)
    t.equal((await browser.get(await press(browser))).statusCode, 303)
  }
})

t.test('an outage of the provider does not count, nor that the user did not sign in there; neither stores anything', async t => {
  const { app, databaseUrl, attempt, press } = await startHostile(t)
  const paths = { '/token': ({ socket }: IncomingMessage) => { socket.destroy() } }
  for (let time = 0; time < 31; time++) t.equal((await attempt({ paths })).statusCode, 503)
  const browser = new Browser(app)
  const before = await countRows(databaseUrl)
  for (const [error, statusCode] of [['access_denied', 403], ['server_error', 503]] as const) {
    for (let time = 0; time < 31; time++) {
      t.equal((await browser.get(await press(browser, '/account', query => query.set('error', error)))).statusCode, statusCode)
    }
  }
  t.equal(await countRows(databaseUrl), before)
})

t.test('an error next to a code does not make the code work twice, and counts if the provider cannot have sent it', async t => {
  const { app, press, requests } = await startHostile(t, DOMAINS)
  const browser = new Browser(app)
  const empty = await press(browser, '/account', query => query.set('error', ''))
  t.equal((await browser.get(empty)).statusCode, 403, 'no account is connected')
  t.match(await browser.get(empty), ENDED)
  const denied = await press(browser, '/account', query => query.set('error', 'access_denied'))
  const before = requests.length
  t.match(await browser.get(denied), { statusCode: 403, body: /You did not sign in with the other provider/ })
  t.equal(requests.length, before, 'its code is not exchanged')
  const forged: Array<[statusCode: number, change: (query: URLSearchParams) => void]> = [
    [400, query => { query.append('error', 'access_denied'); query.append('error', 'access_denied') }],
    [502, query => { query.set('error', 'access_denied'); query.set('iss', 'https://other.example') }]
  ]
  for (let failure = 2; failure < 30; failure++) {
    const [statusCode, change] = forged[failure % 2]!
    t.equal((await browser.get(await press(browser, '/account', change))).statusCode, statusCode)
  }
  t.equal((await browser.get(await press(browser))).statusCode, 429)
})

t.test('a request of an app that is too long for the round trip gets a page', async t => {
  const { app, stores } = await startHostile(t)
  await stores.clients.put(codeClient())
  const noise = Array.from({ length: 4_000 }, () => Math.floor(Math.random() * 36).toString(36)).join('')
  t.equal((await pressUpstream(new Browser(app), `/consent?${codeQuery({ state: noise })}`)).statusCode, 414)
})

t.test('the metadata is fetched once, at the first press, and not again after a failure until a while has passed', async t => {
  const { app, press, requests } = await startHostile(t)
  t.same(requests, [])
  await Promise.all([1, 2, 3].map(async () => await press(new Browser(app))))
  t.same(requests, ['/.well-known/openid-configuration'])
})

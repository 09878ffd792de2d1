import t from 'tap'
import { Browser, build, client, fragmentOf, query } from '../../support/helper.js'

const YESTERDAY = new Date(Date.now() - 86_400_000)
const SOON = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 86_400_000)
const LINK = '<https://id.example/leave-implicit>; rel="deprecation"; type="text/html"'

t.test('every answer to a client with a deprecated implicit grant says so, and the client gets its token', async t => {
  const { app, stores } = await build(t)
  const since = new Date('2026-11-01T00:00:00Z')
  const browser = new Browser(app)
  const answers = async () => [
    await browser.get(`/authorize?${query()}`),
    await browser.allow(),
    await browser.get(`/authorize?${query({ request: 'x' })}`)
  ]
  for (const response of await answers()) t.notMatch(response.headers, { deprecation: /./ }, 'allowed')

  await stores.clients.put(client({ implicit: 'warn', implicitDeprecatedAt: since }))
  for (const { headers } of await answers()) {
    t.match({ ...headers, sunset: headers.sunset ?? 'none' }, { deprecation: '@1793491200', link: LINK, sunset: 'none' })
  }

  await stores.clients.setImplicit('app', { implicit: 'until', implicitUntil: SOON }, new Date())
  const [authorize, allowed] = await answers()
  for (const { headers } of [authorize!, allowed!]) {
    t.match(headers, { deprecation: '@1793491200', link: LINK, sunset: SOON.toUTCString() }, 'told since the first time')
  }
  t.ok(fragmentOf(allowed!).access_token)
})

t.test('after its date the implicit grant is refused at the callback, in words that say what to use', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(client({ implicit: 'until', implicitUntil: YESTERDAY, implicitDeprecatedAt: new Date() }))
  const response = await new Browser(app).get(`/authorize?${query()}`)
  t.equal(response.statusCode, 302)
  t.match(fragmentOf(response), {
    error: 'unauthorized_client',
    error_description: 'The implicit grant has ended for this client. Use response_type=code with PKCE (RFC 7636).',
    state: 's'
  })
  t.match(
    response.headers,
    { deprecation: `@${Math.floor(YESTERDAY.getTime() / 1_000)}`, sunset: YESTERDAY.toUTCString(), link: LINK },
    'and not deprecated later than it ended (RFC 9745 §4)'
  )
})

t.test('a page that was open when the date came issues no token', async t => {
  const { app, stores } = await build(t)
  const browser = new Browser(app)
  const transaction = await browser.consent()
  await stores.clients.setImplicit('app', { implicit: 'until', implicitUntil: YESTERDAY }, new Date())
  const response = await browser.post(`/consent?${query()}`, { transaction, decision: 'allow', username: 'ann', password: 'correct horse' })
  t.equal(fragmentOf(response).error, 'unauthorized_client')
})

t.test('off is refused without more words, and allowed takes everything back', async t => {
  const { app, stores } = await build(t)
  const ask = () => new Browser(app).get(`/authorize?${query()}`)
  t.equal(await stores.clients.setImplicit('app', { implicit: 'off', implicitUntil: null }, new Date()), true)
  t.match(fragmentOf(await ask()), { error: 'unauthorized_client', error_description: 'The client is not allowed to use this response type.' })
  await stores.clients.setImplicit('app', { implicit: 'until', implicitUntil: SOON }, new Date())
  await stores.clients.setImplicit('app', { implicit: 'allowed', implicitUntil: null }, new Date())
  const response = await ask()
  t.match(response.headers.location, 'https://id.example/consent?')
  t.notOk('deprecation' in response.headers)
  t.match(await stores.clients.find('app'), { implicit: 'allowed', implicitDeprecatedAt: null, implicitUntil: null })
  t.equal(await stores.clients.setImplicit('unknown', { implicit: 'off', implicitUntil: null }, new Date()), false)
})

t.test('each token by the implicit grant is counted, behind the answer, by client and week', async t => {
  const { app, stores } = await build(t)
  const browser = new Browser(app)
  await browser.allow()
  const forms = await Promise.all(Array.from({ length: 20 }, () => browser.consent()))
  await Promise.all(forms.map(transaction => browser.post(`/consent?${query()}`, { transaction, decision: 'allow' })))
  await browser.post(`/consent?${query()}`, { transaction: await browser.consent(), decision: 'deny' })
  t.same(await stores.implicitUses.list(), [], 'not yet')
  await app.close()
  const [use, ...others] = await stores.implicitUses.list()
  t.same(others, [])
  t.match(use, { clientId: 'app', week: /^\d{4}-W\d\d$/, uses: 21 })
  t.ok(use!.firstAt <= use!.lastAt)
})

import t from 'tap'
import { codeClient } from '../../support/code-flow.js'
import { Browser } from '../../support/helper.js'
import { connectUpstream, pressUpstream, REQUEST, signInUpstream, startPair } from '../../support/upstream.js'

export const onBothDatabases = true

t.test('a connected user signs in with the upstream provider, and returns to the request of the app', async t => {
  const pair = await startPair(t)
  const { app, stores } = pair
  await stores.clients.put(codeClient())
  const connected = await connectUpstream(pair, new Browser(app))
  t.equal(connected.statusCode, 303)
  t.equal(connected.headers.location, '/account/upstream')

  const browser = new Browser(app)
  const pressed = await pressUpstream(browser)
  t.equal(pressed.statusCode, 303)
  const asked = new URL(String(pressed.headers.location))
  t.equal(asked.origin, pair.upstream.issuer.origin)
  t.match(Object.fromEntries(asked.searchParams), {
    response_type: 'code', scope: 'openid', code_challenge_method: 'S256', nonce: /./, max_age: '28800', ui_locales: 'en'
  })
  const returned = await browser.get(await pair.answerOf(asked.href))
  t.equal(returned.statusCode, 303, returned.body)
  t.equal(returned.headers.location, `/consent?${REQUEST}`)
  const page = await browser.get(String(returned.headers.location))
  t.match(page.body, /signed in as <strong>ann<\/strong>/)
  const { rows } = await stores.users.exportRows((await stores.users.find('ann'))!.id)
  t.match(rows.sessions, [{ amr: 'pwd' }, { amr: 'fed' }])
})

t.test('a user without a connected account is not signed in, although the email address is the same', async t => {
  const pair = await startPair(t)
  const { app, stores, upstream } = pair
  for (const { profiles } of [stores, upstream.stores]) await profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  const browser = new Browser(app)
  const refused = await signInUpstream(pair, browser, '/account')
  t.equal(refused.statusCode, 403)
  t.match(refused.body, 'No account here is connected to the account that you signed in with.')
  t.match(refused.body, 'href="https://id.example/account"')
  t.match((await browser.get('/account')).body, 'Sign in to your account')
})

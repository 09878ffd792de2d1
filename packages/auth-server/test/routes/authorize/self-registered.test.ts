import t from 'tap'
import { codeQuery, exchangeForm, post, queryOf } from '../../support/code-flow.js'
import { Browser, build, CALLBACK, formTokenOf, query } from '../../support/helper.js'
import { METADATA, register } from '../../support/registration-flow.js'

t.test('people are told that no one has checked the app, and are asked each time', async t => {
  const { app, stores } = await build(t, { REGISTRATION: 'open', REGISTRATION_RESOURCES: 'https://mcp.example' })
  const id: string = (await register(app, { ...METADATA, client_name: '<b>Frontdesk</b>' })).json().client_id
  const search = codeQuery({ client_id: id, resource: 'https://mcp.example', scope: 'x' })
  const browser = new Browser(app)
  const page = await browser.get(`/consent?${search}`)
  t.match(page.body, /This app registered itself\.<\/strong> Its name hasn't been verified.*trust <strong>app\.example</s)
  t.match(page.body, '&lt;b&gt;Frontdesk')
  const account = async () => (await browser.get('/account')).body
  const allowed = await browser.allow(search)
  const tokens = await post(app, '/token', exchangeForm(queryOf(allowed).code ?? '', { client_id: id }))
  t.equal(tokens.statusCode, 200, tokens.body)
  t.ok((await stores.clients.list()).find(it => it.id === id)?.usedAt)
  t.equal((await browser.get(`/consent?${search}`)).statusCode, 200, 'asked again')
  t.match(await account(), /&lt;b&gt;Frontdesk&lt;\/b&gt;<\/bdi><\/h3>\s*<p class="note"><strong>This app registered itself\.<\/strong> Its name hasn't been verified/)
  await stores.clients.change(id, { registeredBy: 'operator' })
  for (const body of [await account(), (await browser.get(`/consent?${search}`)).body]) t.notMatch(body, 'registered itself')
  await browser.allow(search, {})
  t.equal((await browser.get(`/consent?${search}`)).statusCode, 303, 'once an operator has adopted it, consent is remembered')
})

t.test('an error is shown, and goes to the callback only if the person presses Continue (RFC 9700 §4.11.2)', async t => {
  const { app } = await build(t, { REGISTRATION: 'open' })
  const id: string = (await register(app, METADATA)).json().client_id
  const browser = new Browser(app)
  const asked = { client_id: id, scope: 'x' }
  const denied = async (search: string) =>
    await browser.post(`/consent?${search}`, { transaction: await browser.consent(search), decision: 'deny' })
  for (const [name, answer, error] of [
    ['This sign-in can\'t continue.</h1>\n<p class="note" lang="en" dir="ltr">The request needs a code_challenge', await browser.get(`/authorize?${query({ ...asked, response_type: 'code' })}`), 'invalid_request'],
    ['This sign-in can\'t continue.</h1>\n<p class="note" lang="en" dir="ltr">The client is not allowed to use this response type.', await browser.get(`/authorize?${query(asked)}`), 'unauthorized_client'],
    ['You aren\'t signed in.', await browser.get(`/consent?${codeQuery({ ...asked, prompt: 'none' })}`), 'login_required'],
    ['You denied access.', await denied(codeQuery(asked)), 'access_denied']
  ] as const) {
    t.match(answer.body, `<h1>${name}`)
    t.match(answer.statusCode, /^40[03]$/, name)
    t.equal(answer.headers.location, undefined, name)
    const link = /<a class="button" href="([^"]+)"/.exec(answer.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
    t.match(Object.fromEntries(new URLSearchParams(link.split(/[?#]/)[1])), { error, state: 's', iss: 'https://id.example' }, name)
    t.ok(link.startsWith(CALLBACK))
    t.match(answer.body, /return to <strong class="host">app\.example</)
  }
  const posted = await denied(codeQuery({ ...asked, response_mode: 'form_post' }))
  t.match(posted.body, `<form method="post" action="${CALLBACK}">`)
  t.match(posted.body, /name="error" value="access_denied"/)
  t.notMatch(posted.body, '<script')
})

t.test('errors of prompt=none go to the callback once a person has allowed the app, until no one does', async t => {
  const { app, stores } = await build(t, { REGISTRATION: 'open' })
  const id: string = (await register(app, METADATA)).json().client_id
  const [browser, stranger] = [new Browser(app), new Browser(app)]
  const search = codeQuery({ client_id: id, scope: 'x' })
  const ask = async (it: Browser, changes = {}) => await it.get(`/consent?${codeQuery({ client_id: id, scope: 'x', prompt: 'none', ...changes })}`)
  t.equal((await ask(stranger)).headers.location, undefined, 'anyone can register an app')
  await browser.allow(search)
  for (const [it, changes, error] of [
    [stranger, {}, 'login_required'], [browser, {}, 'consent_required'], [stranger, { code_challenge: undefined }, 'invalid_request']
  ] as const) {
    const answer = await ask(it, changes)
    t.equal(answer.statusCode, 302, error)
    t.match(queryOf(answer), { error, state: 's', iss: 'https://id.example' })
  }
  t.equal((await browser.get(`/authorize?${codeQuery({ client_id: id, code_challenge: undefined })}`)).headers.location, undefined, 'others do not')
  await stores.authorizedApps.remove((await stores.users.find('ann'))!.id, id)
  t.equal((await ask(stranger)).headers.location, undefined, 'the person has removed it')
})

t.test('what an app changes while the page is open is shown before it is allowed', async t => {
  const { app, stores } = await build(t, { REGISTRATION: 'open' })
  const id: string = (await register(app, METADATA)).json().client_id
  const search = codeQuery({ client_id: id, redirect_uri: undefined, scope: undefined })
  const credentials = { username: 'ann', password: 'correct horse' }
  for (const change of [{ defaultScope: 'a b' }, { callbacks: ['https://evil.example/cb'] }, { name: 'Another' }, { grantTypes: ['authorization_code', 'refresh_token'] }]) {
    const [signedOut, signedIn] = [new Browser(app), new Browser(app)]
    const [first, renewed] = [await signedOut.consent(search), await signedIn.allow(search)]
    t.equal(renewed.statusCode, 303)
    const second = await signedIn.consent(search)
    await stores.clients.change(id, change)
    for (const [browser, transaction, more] of [[signedOut, first, credentials], [signedIn, second, {}]] as const) {
      const again = await browser.post(`/consent?${search}`, { transaction, decision: 'allow', ...more })
      t.equal(again.statusCode, 409, JSON.stringify(change))
      t.match(again.body, 'The permissions that this app requests changed after you opened this page.')
      const allowed = await browser.post(`/consent?${search}`, { transaction: formTokenOf(again), decision: 'allow', ...more })
      t.equal(allowed.statusCode, 303)
    }
  }
})

t.test('after sign-out the person presses Continue, too: an app that registered itself redirects no one', async t => {
  const { app } = await build(t, { REGISTRATION: 'open' })
  const target = 'https://phish.example/login'
  const id: string = (await register(app, { ...METADATA, post_logout_redirect_uris: [target] })).json().client_id
  const browser = new Browser(app)
  const url = `/end-session?${new URLSearchParams({ client_id: id, post_logout_redirect_uri: target, state: 'x' })}`
  const answer = await browser.get(url)
  t.equal(answer.statusCode, 200)
  t.match(answer.body, /go to <strong class="host">phish\.example<\/strong>.*<a class="button" href="https:\/\/phish\.example\/login\?state=x"/s)
  await browser.allow(codeQuery({ client_id: id }))
  const asked = await browser.get(url)
  t.equal((await browser.post(url, { transaction: formTokenOf(asked) })).statusCode, 200)
})

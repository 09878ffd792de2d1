import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { Browser, build, fragmentOf, query, formTokenOf } from '../../helper.js'
import { codeClient, codeQuery, queryOf } from '../../code-flow.js'

t.test('prompt=none shows no page: login_required or consent_required goes to the callback (OpenID Connect Core §3.1.2.6)', async t => {
  const { app, stores } = await build(t)
  const browser = new Browser(app)
  const ask = async (search: string) => await browser.get(`/consent?${search}`)
  t.match(fragmentOf(await ask(query({ prompt: 'none' }))), { error: 'login_required', state: 's' })
  await browser.allow()
  t.match(fragmentOf(await ask(query({ prompt: 'none' }))), { error: 'consent_required', state: 's' })
  t.match(fragmentOf(await ask(query({ prompt: 'none', max_age: '0' }))), { error: 'login_required' })
  await stores.clients.put(codeClient())
  t.match(queryOf(await ask(codeQuery({ prompt: 'none' }))), { error: 'consent_required' })
})

t.test('prompt=login and max_age ask for the password of who is signed in already', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  await browser.allow()
  const asks = async (search: string) => /name="password"/.test((await browser.get(`/consent?${search}`)).body)
  for (const changes of [{}, { prompt: 'consent' }, { prompt: 'select_account' }, { max_age: '3600' }]) {
    t.equal(await asks(query(changes)), false, JSON.stringify(changes))
  }
  t.equal(await asks(query({ prompt: 'login' })), true)
  t.equal(await asks(query({ prompt: 'login consent' })), true)
  t.equal(await asks(query({ max_age: '0' })), true)
  for (const search of [query({ prompt: 'login' }), query({ max_age: '0' })]) {
    const refused = await browser.post(`/consent?${search}`, { transaction: await browser.consent(search), decision: 'allow' })
    t.equal(refused.headers.location, undefined, 'the session alone will not do')
    t.ok(fragmentOf(await browser.allow(search)).access_token)
  }
})

t.test('a password that became too old while the page was open is asked for again', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  await browser.allow()
  const search = query({ max_age: '1' })
  const transaction = await browser.consent(search)
  await setTimeout(1_100)
  const again = await browser.post(`/consent?${search}`, { transaction, decision: 'allow' })
  t.equal(again.headers.location, undefined)
  t.match(again.body, 'name="password"')
  const signedIn = await browser.post(`/consent?${search}`, {
    transaction: formTokenOf(again),
    decision: 'allow',
    username: 'ann',
    password: 'correct horse'
  })
  t.ok(fragmentOf(signedIn).access_token)
})

t.test('login_hint stands in the form, as text; what cannot be meant is invalid_request', async t => {
  const { app } = await build(t)
  const { body } = await app.inject(`/consent?${query({ login_hint: '"><b>ann' })}`)
  t.match(body, 'value="&quot;&gt;&lt;b&gt;ann"')
  for (const search of [
    query({ prompt: 'none login' }),
    query({ max_age: '-1' }),
    query({ max_age: '1e3' }),
    `${query({ prompt: 'login' })}&prompt=login`,
    `${query()}&max_age=1&max_age=1`,
    `${query()}&login_hint=a&login_hint=b`
  ]) {
    t.equal(fragmentOf(await app.inject(`/authorize?${search}`)).error, 'invalid_request', search.slice(-30))
  }
})

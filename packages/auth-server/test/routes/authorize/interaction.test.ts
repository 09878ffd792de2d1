import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { Browser, build, client, fragmentOf, query, formTokenOf } from '../../support/helper.js'
import { codeClient, codeQuery, queryOf } from '../../support/code-flow.js'

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

t.test('a request asks for the password once, whatever is shown afterwards (OpenID Connect Core §3.1.2.1)', async t => {
  const { app, stores } = await build(t)
  await stores.roles.add('editor', ['customer:write'])
  const ann = (await stores.users.find('ann'))!.id
  const scope = 'customer:read customer:write'
  for (const changes of [{ prompt: 'login' }, { prompt: 'login consent' }, { max_age: '0' }, { prompt: 'login', max_age: '0' }, { max_age: '1' }]) {
    const name = JSON.stringify(changes)
    const search = query({ scope, ...changes })
    const browser = new Browser(app)
    const decide = async (page: { body: string }, decision = 'allow') => await browser.post(`/consent?${search}`, {
      transaction: formTokenOf(page as never),
      decision,
      ...(page.body.includes('name="password"') && { username: 'ann', password: 'correct horse' })
    })
    let page = await browser.get(`/consent?${search}`)
    t.match(page.body, 'name="password"', name)
    page = await decide(page)
    t.match(page.body, /You can't allow it to:<\/h2>[^]*?<li>Add and edit customers<\/li>/, name)
    await setTimeout('max_age' in changes && changes.max_age === '1' ? 1_100 : 5)
    for (const [what, change] of [
      ['another name of the app', () => stores.clients.put(client({ name: `An app ${name}` }))],
      ['a role', () => stores.roles.assign(ann, ['editor'])],
      ['no role', () => stores.roles.assign(ann, [])]
    ] as const) {
      await change()
      page = await decide(page)
      t.equal(page.statusCode, 409, `${name}: ${what}`)
      t.match(page.body, /You're signed in as <strong>ann<\/strong>/, `${name}: ${what}`)
    }
    const switched = await decide(page, 'switch')
    t.match(switched.body, 'name="password"', `${name}: another person`)
    page = await decide(switched)
    t.match(page.body, /You can't allow it to/, name)
    t.match(fragmentOf(await decide(page)), { scope: 'customer:read', access_token: /./ }, name)
    if (changes.max_age !== '1') t.match((await browser.get(`/consent?${search}`)).body, 'name="password"', `${name}: the next request asks again`)
  }
})

t.test('a password that was given to a page counts for the request of that page only', async t => {
  const { app, stores } = await build(t)
  await stores.roles.add('editor', ['customer:write'])
  const [search, other] = [query({ scope: 'a customer:write', prompt: 'login' }), query({ scope: 'b customer:write', prompt: 'login' })]
  const browser = new Browser(app)
  const told = await browser.allow(search)
  t.match(told.body, /You can't allow it to/)
  t.equal((await browser.post(`/consent?${other}`, { transaction: formTokenOf(told), decision: 'allow' })).statusCode, 403)
  const page = await browser.get(`/consent?${other}`)
  t.equal((await browser.post(`/consent?${other}`, { transaction: formTokenOf(page), decision: 'allow' })).headers.location, undefined)
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

import t from 'tap'
import { codeClient, exchangeForm, form, getCode, post } from '../support/code-flow.js'
import { Browser, CALLBACK, build, client, fragmentOf, query, type Built } from '../support/helper.js'

export const onBothDatabases = true

/** What is in the trail, oldest first. */
const trailOf = async ({ app, stores }: Built) => {
  await app.auditTrail.flush()
  return (await stores.audit.list({}, 1_000)).reverse()
}

t.test('the audit trail has sign-ins, grants and sign-outs', async t => {
  const built = await build(t)
  const browser = new Browser(built.app)
  await browser.allow()
  const form = await browser.get('/sign-out')
  await browser.post('/sign-out', { transaction: /name="transaction" value="([^"]+)"/.exec(form.body)?.[1] ?? '' })
  const ann = (await built.stores.users.find('ann'))?.id
  const by = { userId: ann, source: '192.0.2.1' }
  t.match(await trailOf(built), [
    { ...by, event: 'sign-in', outcome: 'signed in', clientId: 'app' },
    { ...by, event: 'grant', outcome: 'implicit', clientId: 'app', details: { scope: 'customer:read', audience: 'https://api.example' } },
    { ...by, event: 'sign-out', outcome: 'done' }
  ])
})

t.test('a callback that is refused is there with all that it was compared with, under the reference that the page shows', async t => {
  const built = await build(t)
  await built.stores.clients.put(client({ callbacks: [CALLBACK, 'https://app.example/other'] }))
  const page = await new Browser(built.app).get(`/authorize?${query({ redirect_uri: `${CALLBACK}/` })}`)
  t.notMatch(page.body, 'https://app.example/other')
  const [row, ...others] = await trailOf(built)
  t.same(others, [])
  t.match(row, {
    event: 'refusal',
    outcome: 'invalid_request',
    clientId: 'app',
    userId: null,
    source: '192.0.2.1',
    details: {
      reason: 'redirect_uri is not registered',
      requested: `${CALLBACK}/`,
      registered: [CALLBACK, 'https://app.example/other'],
      difference: 'trailing slash'
    }
  })
  t.match(page.body, row?.requestId)
  t.same(await built.stores.audit.list({ requestId: row!.requestId! }, 10), [row])
})

t.test('every refusal is there with its true reason', async t => {
  const built = await build(t)
  const { app } = built
  const refusals: Array<[what: string, refuse: (browser: Browser) => Promise<unknown>, row: object]> = [
    [
      'an unknown client',
      browser => browser.get(`/authorize?${query({ client_id: 'nobody' })}`),
      { event: 'refusal', outcome: 'invalid_client', clientId: null, details: { reason: 'client_id is not registered' } }
    ],
    [
      'an error at the callback',
      browser => browser.get(`/authorize?${query({ response_type: 'code token' })}`),
      { event: 'refusal', outcome: 'unsupported_response_type', clientId: 'app' }
    ],
    [
      'Deny',
      async browser => await browser.post(`/consent?${query()}`, { transaction: await browser.consent(), decision: 'deny' }),
      { event: 'refusal', outcome: 'access_denied', clientId: 'app' }
    ],
    [
      'a foreign form',
      browser => browser.post(`/consent?${query()}`, { transaction: 'x', decision: 'allow' }),
      { event: 'refusal', outcome: 'invalid_request' }
    ],
    [
      'a wrong password',
      browser => browser.allow(query(), { username: 'ANN', password: 'wrong' }),
      { event: 'sign-in', outcome: 'wrong', clientId: 'app', userId: (await built.stores.users.find('ann'))?.id }
    ],
    [
      'nobody of that name',
      browser => browser.allow(query(), { username: 'nobody', password: 'wrong' }),
      { event: 'sign-in', outcome: 'wrong', clientId: 'app', userId: null }
    ]
  ]
  for (const [what, refuse] of refusals) t.ok(await refuse(new Browser(app)), what)
  const rows = await trailOf(built)
  t.equal(rows.length, refusals.length)
  refusals.forEach(([what, , row], index) => t.match(rows[index], row, what))
})

t.test('what the token endpoint gave, what was revoked and what it refused', async t => {
  const built = await build(t)
  const { app, stores } = built
  await stores.clients.put(codeClient())
  const code = await getCode(app)
  const { access_token: access, refresh_token: refresh } = (await post(app, '/token', exchangeForm(code))).json()
  await post(app, '/revoke', form({ client_id: 'app', token: refresh }))
  await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: refresh }))
  const rows = await trailOf(built)
  const ann = (await stores.users.find('ann'))?.id
  t.match(rows, [
    { event: 'sign-in', userId: ann },
    { event: 'grant', outcome: 'authorization_code', userId: ann, clientId: 'app' },
    { event: 'token', outcome: 'authorization_code', userId: ann, clientId: 'app', details: { scope: 'customer:read' } },
    { event: 'revocation', outcome: 'done', userId: ann, clientId: 'app' },
    { event: 'refusal', outcome: 'invalid_grant', clientId: 'app', details: { reason: /revoked/ } }
  ])
  for (const secret of [code, access, refresh]) t.notOk(JSON.stringify(rows).includes(secret))
})

t.test('no token, password, cookie, query or name that was typed is in the trail', async t => {
  const built = await build(t)
  const browser = new Browser(built.app)
  const token = fragmentOf(await browser.allow(query({ state: 'secret-state' }))).access_token!
  await browser.get(`/authorize?${query({ state: 'secret-state', response_type: 'secret-type' })}`)
  await new Browser(built.app).allow(query(), { username: 'my-password', password: 'wrong-secret' })
  const rows = await trailOf(built)
  t.equal(rows.length, 4)
  const text = JSON.stringify(rows)
  for (const secret of [token, 'correct horse', 'my-password', 'wrong-secret', 'secret-', 'state=', ...browser.cookies.values()]) {
    t.notOk(text.includes(secret), secret.slice(0, 12))
  }
})

t.test('only who was signed in signs out: a form that is sent again adds nothing', async t => {
  const built = await build(t)
  const browser = new Browser(built.app)
  const transaction = await browser.consent()
  const change = async () => await browser.post(`/consent?${query()}`, { transaction, decision: 'switch' })
  for (let i = 0; i < 5; i++) t.equal((await change()).statusCode, 200)
  t.same(await trailOf(built), [])
  await browser.allow()
  const cookies = new Map(browser.cookies)
  await Promise.all(
    Array.from({ length: 5 }, () =>
      new Browser(built.app, undefined, cookies).post(`/consent?${query()}`, { transaction, decision: 'switch' })
    )
  )
  t.match((await trailOf(built)).slice(2), [{ event: 'sign-out', outcome: 'done', userId: (await built.stores.users.find('ann'))?.id }])
  t.equal((await trailOf(built)).length, 3)
})

t.test('a token that came to a wrong callback is in no log line and no row', async t => {
  const built = await build(t)
  for (const sign of ['?', '#']) await built.app.inject(`/authorize?${query({ redirect_uri: `${CALLBACK}${sign}access_token=SECRET` })}`)
  const rows = await trailOf(built)
  t.match(
    rows.map(({ details }) => details),
    [
      { requested: `${CALLBACK}#…`, difference: 'fragment' },
      { requested: `${CALLBACK}?…`, difference: 'query' }
    ].reverse()
  )
  t.notOk([...built.logs, JSON.stringify(rows)].some(text => text.includes('SECRET')))
})

t.test('of a flood of refusals the first hundred are kept, and how many more there were', async t => {
  const built = await build(t)
  const { app, stores } = built
  for (let i = 0; i < 10; i++) {
    await Promise.all(Array.from({ length: 100 }, () => app.inject(`/authorize?${query({ client_id: 'nobody' })}`)))
  }
  await app.auditTrail.close()
  const rows = await stores.audit.list({ event: 'refusal' }, 2_000)
  const [summary] = rows.filter(({ outcome }) => outcome === 'suppressed')
  const kept = rows.length - 1
  t.ok(kept >= 100 && kept < 300, `${kept} rows`)
  t.same(summary?.details, { count: 1_000 - kept })
  await new Browser(app).allow()
  await app.auditTrail.flush()
  t.equal((await stores.audit.list({ event: 'grant' }, 10)).length, 1, 'who has proved who they are is always recorded')
})

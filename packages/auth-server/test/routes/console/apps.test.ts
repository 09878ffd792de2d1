import t from 'tap'
import { form, post, queryOf } from '../../support/code-flow.js'
import { Browser, client } from '../../support/helper.js'
import { buildConsole } from '../../support/admin/console.js'

t.test('an app of each kind is added, and only one with a secret shows it, once', async t => {
  const { add, as, stores, app, logs } = await buildConsole(t)
  await add('root', 'administrator')
  const root = as('root')
  const kinds = {
    page: { grantTypes: ['authorization_code', 'refresh_token'], tokenEndpointAuthMethod: 'none' },
    server: { tokenEndpointAuthMethod: 'client_secret_basic' },
    native: { native: true },
    device: { grantTypes: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'] },
    service: { grantTypes: ['client_credentials'], allowedScope: 'customer:read' },
    mcp: { native: true, resources: ['https://mcp.example/mcp'] },
    implicit: { implicit: 'allowed' }
  }
  for (const [kind, expected] of Object.entries(kinds)) {
    const from = `/add-app?kind=${kind}`
    const needsCallback = !['device', 'service'].includes(kind)
    t.equal(/name="callbacks"/.test((await root.open(from)).body), needsCallback, kind)
    const fields = {
      kind,
      name: `The ${kind}`,
      clientId: `the-${kind}`,
      ...needsCallback && { callbacks: `https://${kind}.example/cb` },
      ...kind === 'mcp' && { resources: 'https://mcp.example/mcp' },
      allowedScope: kind === 'service' ? 'customer:read' : ''
    }
    const done = await root.send('/add-app', fields, from)
    t.match(await stores.clients.find(`the-${kind}`), { name: `The ${kind}`, registeredBy: 'operator', ...expected }, kind)
    if (!['server', 'service'].includes(kind)) {
      t.equal(done.headers.location, `/admin/apps/the-${kind}/set-up`)
      continue
    }
    const secret = /<pre class="secret"[^>]*>([\w-]{43})</.exec(done.body)?.[1] ?? ''
    t.ok(secret, kind)
    t.match(done.body, `href="/admin/apps/the-${kind}/set-up"`)
    t.notMatch(logs.join(''), secret)
    if (kind !== 'service') continue
    const token = await post(app, '/token', form({ grant_type: 'client_credentials', scope: 'customer:read' }), {
      authorization: `Basic ${Buffer.from(`the-service:${secret}`).toString('base64')}`
    })
    t.equal(token.statusCode, 200)
    t.notMatch((await root.open('/apps/the-service')).body, secret)
  }
  const refused = await root.send('/add-app', { kind: 'page', name: 'X', clientId: 'no id', callbacks: 'ftp://x' }, '/add-app?kind=page')
  t.equal(refused.statusCode, 400)
  t.match(refused.body, 'client_id must be')
  t.match(refused.body, 'ftp://x')
})

t.test('the form for an MCP client says how such clients register themselves here', async t => {
  const env = { REGISTRATION: 'open', CLIENT_METADATA_DOCUMENTS: 'on', MCP_RESOURCES: 'https://mcp.example/mcp' }
  for (const [settings, expected] of [
    [env, ['REGISTRATION=open', 'CLIENT_METADATA_DOCUMENTS=on', 'https://mcp.example/mcp']],
    [{}, ['REGISTRATION=off', 'CLIENT_METADATA_DOCUMENTS=off', '<strong>none</strong>']]
  ] as const) {
    const { add, as } = await buildConsole(t, settings)
    await add('root', 'administrator')
    const { body } = await as('root').open('/add-app?kind=mcp')
    for (const text of expected) t.match(body, text)
  }
})

t.test('an app is set up: values, the settings of a library that it can use, and requests that work', async t => {
  const { add, as, app, stores } = await buildConsole(t)
  await add('eve', 'auditor')
  await stores.clients.put(client({ id: 'shop', name: 'Shop <b>', grantTypes: ['authorization_code'], implicit: 'off', resources: ['https://mcp.example/'] }))
  const eve = as('eve')
  const { body } = await eve.open('/apps/shop/set-up')
  for (const value of ['https://id.example', 'https://id.example/.well-known/openid-configuration', 'shop', 'https://app.example/cb', 'https://mcp.example/']) {
    t.match(body, `<code>${value}</code>`)
  }
  t.match(body, '?library=oidc-client-ts#library')
  t.notMatch(body, '?library=passport', 'it cannot send a code challenge')
  t.match((await eve.open('/apps/shop/set-up?library=oidc-client-ts')).body, 'client_id: &#39;shop&#39;')
  t.equal((await eve.open('/apps/shop/set-up?library=passport')).statusCode, 200)

  const link = /href="(https:\/\/id\.example\/authorize[^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const verifier = /code_verifier=([\w-]{43})/.exec(body)?.[1] ?? ''
  const answer = await new Browser(app).allow(new URL(link).search.slice(1))
  const fields = { grant_type: 'authorization_code', client_id: 'shop', redirect_uri: 'https://app.example/cb', code_verifier: verifier }
  t.equal((await post(app, '/token', form({ ...fields, code: queryOf(answer).code! }))).statusCode, 200)

  await stores.clients.setDisabled('shop', new Date())
  t.match((await eve.open('/apps/shop/set-up')).body, 'it is disabled')
  t.equal((await eve.open('/apps/nothing/set-up')).statusCode, 404)
})

t.test('apps are found, filtered by state and registration, and paged', async t => {
  const { add, as, stores } = await buildConsole(t)
  await add('eve', 'auditor')
  for (let i = 0; i < 51; i++) await stores.clients.put(client({ id: `app-${String(i).padStart(2, '0')}` }))
  await stores.clients.put(client({ id: 'self', name: 'Self <b>', registeredBy: 'open' }))
  await stores.clients.setDisabled('app-07', new Date())
  const eve = as('eve')
  const first = await eve.open('/apps')
  t.notMatch(first.body, 'frontdesk-console')
  const next = /href="(\?after=[^"]+)">Next page/.exec(first.body)?.[1] ?? ''
  t.match((await eve.open(`/apps${next}`)).body, 'Self &lt;b&gt;')
  const found = async (query: string) => {
    const { body } = await eve.open(`/apps?${query}`)
    return [...body.matchAll(/<span class="note"><bdi>([^<]+)<\/bdi><\/span><\/td>/g)].map(([, id]) => id)
  }
  t.same(await found('search=APP-1'), ['app-10', 'app-11', 'app-12', 'app-13', 'app-14', 'app-15', 'app-16', 'app-17', 'app-18', 'app-19'])
  t.same(await found('state=disabled'), ['app-07'])
  t.same(await found('by=itself'), ['self'])
  t.match((await eve.open('/apps?search=nothing')).body, 'No apps match.')
})

t.test('an app is tested, disabled, revoked, approved and removed', async t => {
  const { add, as, stores } = await buildConsole(t)
  const by = await add('root', 'administrator')
  const root = as('root')
  const id = 'https://agent.example/metadata.json'
  await stores.clients.put(client({ id, registeredBy: 'open' }))
  const path = `/apps/${encodeURIComponent(id)}`
  const tested = await root.open(`${path}?uri=${encodeURIComponent('https://app.example/cb/')}`)
  t.match(tested.body, 'trailing slash differs from')
  t.match(tested.body, '<code>https://app.example/cb<mark>/</mark></code>')
  t.match((await root.open(`${path}?uri=${encodeURIComponent('https://app.example/cb')}`)).body, 'It matches')
  t.match(tested.body, 'add it to the callbacks')
  const wrong = (await root.open(`${path}?uri=${encodeURIComponent('http://app.example/cb')}`)).body
  t.match(wrong, '<code>http<mark>:</mark>//app.example/cb</code>')
  t.match(wrong, /You can&#39;t register it either\. /)
  t.match(tested.body, 'self-registered')
  for (const [action, fields, to = path] of [
    ['disable', {}], ['enable', {}], ['revoke', {}], ['adopt', { allowedScope: 'customer:read' }], ['remove', { confirm: id }, '/apps']
  ] as const) {
    t.equal((await root.send(`${path}/${action}`, fields, path)).headers.location, `/admin${to}`, action)
    if (action === 'adopt') t.match(await stores.clients.find(id), { registeredBy: 'operator', allowedScope: 'customer:read' })
    if (action === 'disable') t.match((await root.open(path)).body, 'Disabled. Access ends within ten seconds.')
  }
  t.equal((await root.open(path)).statusCode, 404)
  t.equal((await root.open('/apps/frontdesk-console')).statusCode, 404)
  t.equal((await root.send('/apps/app/remove', { confirm: 'App' }, '/apps/app')).statusCode, 400)
  const rows = (await stores.audit.list({ clientId: id }, 50)).filter(({ event }) => event.startsWith('client '))
  t.same(rows.map(({ event, details }) => [event, details.by]).reverse(),
    ['client disable', 'client enable', 'client revoke', 'client adopt', 'client remove'].map(event => [event, by]))
})

t.test('an app shows its people with the last use, and the access of one person is ended', async t => {
  const { add, as, app, stores } = await buildConsole(t)
  for (const [name, role] of [['root', 'administrator'], ['sue', 'support'], ['eve', 'auditor']] as const) await add(name, role)
  const { id } = (await stores.users.find('ann'))!
  t.match((await as('eve').open('/apps/app')).body, 'No one has given it access.')
  await new Browser(app).allow()
  const page = (await as('eve').open('/apps/app')).body
  t.match(page, new RegExp(`<a href="/admin/people/${id}"><bdi>ann</bdi></a></td>\\s*<td><time`))
  t.notMatch(page, 'Remove access')
  const sue = as('sue')
  t.equal((await sue.send('/apps/app/remove-access', { user: id }, '/apps/app')).headers.location, '/admin/apps/app')
  const { body } = await sue.open('/apps/app')
  t.match(body, 'Access removed.')
  t.match(body, 'No one has given it access.')
  t.equal((await sue.send('/apps/app/remove-access', { user: 'unknown' }, '/apps/app')).statusCode, 400)
  t.match((await stores.audit.list({ event: 'user revoke' }, 1))[0], { userId: id, clientId: 'app' })
})

t.test('an app shows first the settings that differ from the defaults', async t => {
  const { add, as, stores } = await buildConsole(t)
  await add('eve', 'auditor')
  await stores.clients.put(client({ id: 'shop', implicit: 'off', accessTokenTtl: 300 }))
  const [first, others] = (await as('eve').open('/apps/shop')).body.split('Settings with default values')
  t.match(first, '300 s')
  t.match(first, 'https://app.example/cb')
  t.notMatch(first, 'ID tokens')
  t.match(others, 'ID tokens')
  const policy = { implicit: 'until', implicitUntil: new Date('2099-01-31'), implicitDeprecatedAt: new Date() } as const
  await stores.clients.put(client({ id: 'leaving', ...policy }))
  t.match((await as('eve').open('/apps/leaving')).body.split('Settings with default values')[0], 'until 2099-01-31')
})

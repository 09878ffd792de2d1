import type { ServerResponse } from 'node:http'
import t from 'tap'
import { codeQuery, exchangeForm, form, post, queryOf } from '../../support/code-flow.js'
import { countRows } from '../../support/database.js'
import { MAX_UNCHECKED_CLIENTS_PER_USER } from '../../../src/stores/clients/app-room.js'
import { website } from '../../support/document-website.js'
import { Browser, build, CALLBACK } from '../../support/helper.js'

const env = { CLIENT_METADATA_DOCUMENTS: 'on', ALLOW_PRIVATE_NETWORKS: 'true', REGISTRATION_RESOURCES: 'https://mcp.example' }

t.test('a URL is an unknown client_id by default, and nothing is fetched', async t => {
  const { put, asked } = await website(t)
  const { app } = await build(t, { ALLOW_PRIVATE_NETWORKS: 'true' })
  const answer = await new Browser(app).get(`/authorize?${codeQuery({ client_id: put('/client.json') })}`)
  t.match(answer, { statusCode: 400, body: /not registered/ })
  t.notOk('client_id_metadata_document_supported' in (await app.inject('/.well-known/oauth-authorization-server')).json())
  t.same(asked, [])
})

t.test('an app that a document describes', async t => {
  const { app, stores, databaseUrl } = await build(t, env)
  const { put, pages, asked, origin } = await website(t)
  const browser = new Browser(app)
  const rowOf = async (id: string) => (await stores.clients.list()).find(it => it.id === id)

  await t.test('signs people in; it is stored when someone allows it, and asked for each time', async t => {
    t.equal((await app.inject('/.well-known/oauth-authorization-server')).json().client_id_metadata_document_supported, true)
    const id = put('/client.json', {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      backchannel_logout_uri: 'https://notes.example/logout',
      backchannel_logout_session_required: true
    })
    const search = codeQuery({ client_id: id, resource: 'https://mcp.example', scope: 'x' })
    const before = await countRows(databaseUrl)
    const page = await browser.get(`/consent?${search}`)
    t.match(page.body, new RegExp(`This app is described by ${origin.slice(7)}\\.</strong> Its name hasn't been verified`))
    t.equal(await rowOf(id), undefined)
    t.equal(await countRows(databaseUrl) - before, 1, 'the throttle')
    const { code } = queryOf(await browser.allow(search))
    t.match(await rowOf(id), {
      name: 'Notes',
      registeredBy: 'document',
      callbacks: [CALLBACK],
      resources: ['https://mcp.example'],
      implicit: 'off',
      grantTypes: ['authorization_code', 'refresh_token'],
      tokenEndpointAuthMethod: 'none',
      backchannelLogoutUri: 'https://notes.example/logout',
      backchannelLogoutSessionRequired: true,
      usedAt: Date
    })
    const tokens = await post(app, '/token', exchangeForm(code ?? '', { client_id: id }))
    t.equal(tokens.statusCode, 200, tokens.body)
    const refreshed = await post(app, '/token', form({ grant_type: 'refresh_token', client_id: id, refresh_token: tokens.json().refresh_token }))
    t.equal(refreshed.statusCode, 200, refreshed.body)
    t.equal((await browser.get(`/consent?${search}`)).statusCode, 200, 'asked again')
    t.match((await browser.get(`/authorize?${codeQuery({ client_id: id, code_challenge: undefined })}`)).body, /hasn't been verified. It wants/)
    t.same(asked, ['/client.json'], 'fetched once')
    await stores.clients.setDisabled(id, new Date())
    t.match((await browser.get(`/consent?${search}`)).body, /not registered/)
    await stores.clients.setDisabled(id, null)
    await stores.clients.change(id, { registeredBy: 'operator', name: 'Adopted' })
    t.match((await browser.get(`/consent?${search}`)).body, /Adopted/)
  })

  await t.test('is fetched once for many at once; what changed in it is stored when it is allowed again', async t => {
    const id = put('/many.json', {}, { 'cache-control': 'max-age=120' })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) =>
      new Browser(app, `198.51.100.${i}`).get(`/authorize?${codeQuery({ client_id: id })}`)))
    t.same(new Set(answers.map(({ statusCode }) => statusCode)), new Set([302]))
    t.same(asked.filter(path => path === '/many.json'), ['/many.json'])
    await browser.allow(codeQuery({ client_id: id }), {})
    const { clients, registrations, users } = stores
    const row = (await clients.find(id))!
    const ann = (await users.find('ann'))!
    const changed = { ...row, name: 'Changed', callbacks: [`${CALLBACK}/2`], usedAt: null }
    t.equal(await registrations.use(changed, ann.id, new Date()), 'used')
    t.match(await rowOf(id), { name: 'Changed', callbacks: [`${CALLBACK}/2`] })
  })

  await t.test('is refused if its document is not as it must be, and the page says why', async t => {
    const answerWith = (status: number, type: string, text: string) => (response: ServerResponse) =>
      response.writeHead(status, { 'content-type': type }).end(text)
    pages.set('/moved', response => response.writeHead(302, { location: '/client.json' }).end())
    pages.set('/html', answerWith(200, 'text/html', '{}'))
    pages.set('/broken', answerWith(200, 'application/json', '{'))
    pages.set('/list', answerWith(200, 'application/json', '[]'))
    pages.set('/long', answerWith(200, 'application/json', ' '.repeat(10_241)))
    put('/other', { client_id: 'https://other.example/client.json' })
    put('/secret', { client_secret: 'x' })
    put('/basic', { token_endpoint_auth_method: 'client_secret_basic' })
    put('/pushed', { require_pushed_authorization_requests: true })
    put('/callback', { redirect_uris: ['http://evil.example/'] })
    put('/no-grant', { grant_types: ['client_credentials'] })
    const rows: Array<[id: string, words: string]> = [
      [`${origin}/missing`, 'status 404'],
      [`${origin}/moved`, 'status 302'],
      [`${origin}/html`, 'Content-Type'],
      [`${origin}/broken`, 'not a JSON object'],
      [`${origin}/list`, 'not a JSON object'],
      [`${origin}/long`, 'could not be fetched'],
      [`${origin}/other`, 'not its own address'],
      [`${origin}/secret`, 'client_secret'],
      [`${origin}/basic`, 'token_endpoint_auth_method'],
      [`${origin}/pushed`, 'require_pushed_authorization_requests'],
      [`${origin}/callback`, 'redirect_uris[0] (http://evil.example/): The callback must be https'],
      [`${origin}/no-grant`, 'grant_types: '],
      [`${origin}/`, 'with a path'],
      [`${origin}/a/../client.json`, 'normal form'],
      [`${origin}/client.json#x`, 'without user name and fragment'],
      [`${origin.replace('//', '//user@')}/client.json`, 'without user name and fragment'],
      [`${origin}/${'x'.repeat(500)}`, 'longer than 500'],
      ['http://192.0.2.1/client.json', 'https'],
      ['https://169.254.169.254/latest/meta-data', 'an address that can be reached']
    ]
    for (const [i, [id, words]] of rows.entries()) {
      const answer = await new Browser(app, `203.0.113.${i}`).get(`/authorize?${codeQuery({ client_id: id })}`)
      t.equal(answer.statusCode, 400, id)
      t.ok(answer.body.includes(words), `${id}: ${words}`)
      t.equal(answer.headers.location, undefined)
    }
    await browser.get(`/authorize?${codeQuery({ client_id: `${origin}/missing` })}`)
    t.equal(asked.filter(path => path === '/missing').length, 1, 'a failure is remembered')
  })

  await t.test('an address that names many has to wait; others do not', async t => {
    put('/each')
    const ask = async (address: string, i: number) =>
      (await new Browser(app, address).get(`/authorize?${codeQuery({ client_id: `${origin}/each?${i}` })}`)).statusCode
    const statuses = await Promise.all(Array.from({ length: 35 }, async (_, i) => await ask('192.0.2.77', i)))
    t.ok(statuses.filter(it => it === 429).length >= 5, 'no more than 30')
    t.equal(await ask('192.0.2.77', 100), 429)
    t.equal(await ask('192.0.2.78', 101), 302)
    t.equal((await browser.get('/authorize?client_id=app')).statusCode, 302, 'apps of the operator')
  })
})

t.test('a person who has allowed as many apps as one may have is told so, unless one of them is unused', async t => {
  const { app, stores } = await build(t, env)
  const { put, origin } = await website(t)
  const ann = (await stores.users.find('ann'))!
  const browser = new Browser(app)
  put('/app')
  const allow = async (i: number) => await browser.allow(codeQuery({ client_id: `${origin}/app?${i}`, scope: 'x' }), i === 0 ? undefined : {})
  const { code = '' } = queryOf(await allow(0))
  const row = (await stores.clients.list()).find(({ id }) => id === `${origin}/app?0`)!
  for (let i = 1; i < MAX_UNCHECKED_CLIENTS_PER_USER; i++) await stores.registrations.use({ ...row, id: `${origin}/app?${i}`, usedAt: null }, ann.id, new Date())
  const tokens = await post(app, '/token', exchangeForm(code, { client_id: row.id }))
  t.equal(tokens.statusCode, 200)
  t.equal((await allow(MAX_UNCHECKED_CLIENTS_PER_USER)).statusCode, 303, 'in place of an unused one')
  const ids = (await stores.clients.list()).map(({ id }) => id)
  t.equal(ids.filter(it => it.startsWith(origin)).length, MAX_UNCHECKED_CLIENTS_PER_USER)
  t.ok(ids.includes(row.id), 'it has tokens')
  t.intercept(stores.registrations, 'makeRoom', { value: async () => false })
  const refused = await allow(MAX_UNCHECKED_CLIENTS_PER_USER + 1)
  t.equal(refused.statusCode, 409)
  t.match(refused.body, /reached the limit of 100 apps that registered themselves\..*account page/s)
  t.intercept(stores.registrations, 'use', { value: async () => 'full' })
  const full = await allow(MAX_UNCHECKED_CLIENTS_PER_USER + 1)
  t.equal(full.statusCode, 503)
  t.match(full.body, 'accepts no more apps that registered themselves.')
})

t.test('in production, documents of private networks are not fetched', async t => {
  const { app } = await build(t, { CLIENT_METADATA_DOCUMENTS: 'on' })
  for (const [id, words] of [
    ['http://127.0.0.1:1/client.json', 'must be https'], ['https://127.0.0.1:1/client.json', 'at a public address'], ['https://[::1]:1/client.json', 'at a public address']
  ] as const) {
    const answer = await new Browser(app).get(`/authorize?${codeQuery({ client_id: id })}`)
    t.equal(answer.statusCode, 400)
    t.ok(answer.body.includes(words), id)
  }
})

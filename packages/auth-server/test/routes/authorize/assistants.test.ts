import { decodeJwt } from 'jose'
import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { addSecret } from '../../../src/admin/client-secrets.js'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from '../../support/code-flow.js'
import { askForCodes, deviceClient, enter } from '../../support/device-flow.js'
import { refresh } from '../../support/directory.js'
import { website } from '../../support/document-website.js'
import { Browser, build } from '../../support/helper.js'
import { METADATA, register } from '../../support/registration-flow.js'

export const onBothDatabases = true

const MCP = 'https://api.example/mcp'
const ALL = 'customer:read customer:write customer:delete'
const GRANTS = { grant_types: ['authorization_code', 'refresh_token'] }
const ASSISTANT = /<p>Notes is an assistant: it can use these permissions on its own, without asking you each time\.<\/p>/

/** A server with an MCP server, and assistants that have registered, or have a metadata document. Both wish for all scopes. */
async function prepare (t: Test) {
  const built = await build(t, {
    REGISTRATION: 'open', CLIENT_METADATA_DOCUMENTS: 'on', ALLOW_PRIVATE_NETWORKS: 'true', ADMIN: 'true', MCP_RESOURCES: MCP
  })
  const { app } = built
  const { put } = await website(t)
  const { client_id: registered } = (await register(app, { ...METADATA, ...GRANTS, scope: ALL })).json()
  const document = put('/client.json', { ...GRANTS, scope: ALL })
  const assistants: Array<[how: string, id: string]> = [['registered', registered], ['document', document]]
  const exchange = async (code = '', id = 'app', more = {}) =>
    (await post(app, '/token', exchangeForm(code, { client_id: id, ...more }))).json()
  return { ...built, assistants, exchange }
}

t.test('the token of an assistant is for the MCP server only, and others are not for it', async t => {
  const { app, stores, assistants, exchange } = await prepare(t)
  for (const [how, id] of assistants) {
    const browser = new Browser(app)
    const codeFor = async (resource: string | undefined) => queryOf(await browser.allow(codeQuery({ client_id: id, resource }))).code
    t.match(await exchange(await codeFor(MCP), id, { resource: 'https://api.example' }), { error: 'invalid_target' }, how)
    const tokens = await exchange(await codeFor(MCP), id, { resource: MCP })
    t.equal(decodeJwt(tokens.access_token).aud, MCP, how)
    const refreshed = await refresh(app, id, tokens.refresh_token)
    t.equal(decodeJwt(refreshed.access_token!).aud, MCP)
    for (const resource of ['https://api.example', 'https://id.example', 'https://id.example/admin/api']) {
      t.match(await refresh(app, id, refreshed.refresh_token!, { resource }), { error: 'invalid_target' })
    }
    const others = await exchange(await codeFor(undefined), id)
    t.equal(decodeJwt(others.access_token).aud, 'https://api.example')
    t.match(await refresh(app, id, others.refresh_token, { resource: MCP }), { error: 'invalid_target' })
  }
  await stores.clients.put(codeClient())
  const refused = queryOf(await app.inject(`/authorize?${codeQuery({ resource: MCP })}`))
  t.match(refused, { error: 'invalid_target' }, 'an operator\'s app needs the resource')
  await stores.clients.put(codeClient({ resources: ['https://api.example:443/mcp'] }))
  const page = await new Browser(app).get(`/consent?${codeQuery({ resource: MCP })}`)
  t.match(page.body, 'An app is an assistant', 'addresses are compared by RFC 3986 §6.2.3')
})

t.test('a request without scope is for reading; the operator chooses for their own apps', async t => {
  const { app, stores, assistants, exchange } = await prepare(t)
  await stores.clients.put(codeClient({ resources: [MCP], defaultScope: ALL }))
  for (const [id, resource, scope] of [
    ...assistants.flatMap(([, id]) => [[id, MCP, 'customer:read'], [id, undefined, ALL]] as const), ['app', MCP, ALL] as const
  ]) {
    const { code } = queryOf(await new Browser(app).allow(codeQuery({ client_id: id, resource, scope: undefined })))
    t.equal((await exchange(code, id)).scope, scope, `${id} ${resource}`)
  }
})

t.test('no reserved scope is for an MCP server, and none is reached by a refresh token for it', async t => {
  const { app, stores, exchange } = await prepare(t)
  const reserved = 'directory:read admin:read customer:undo'
  await stores.clients.put(codeClient({ resources: [MCP], allowedScope: `customer:read ${reserved}` }))
  const { passwordHash } = (await stores.users.find('ann'))!
  await stores.users.add({ id: randomUUID(), username: 'admin', passwordHash, demo: false }, ['administrator'])
  const search = codeQuery({ resource: MCP, scope: `customer:read ${reserved}` })
  const tokens = await exchange(queryOf(await new Browser(app).allow(search, { username: 'admin', password: 'correct horse' })).code)
  t.match(tokens, { scope: /^customer:read$/, refresh_token: /./ })
  t.match(await refresh(app, 'app', tokens.refresh_token, { resource: 'https://id.example' }), { error: 'invalid_target' })
  t.match(queryOf(await app.inject(`/authorize?${codeQuery({ resource: MCP, scope: reserved })}`)), { error: 'invalid_scope' })
  await stores.clients.put(deviceClient({ resources: [MCP], allowedScope: `customer:read ${reserved}` }))
  const { user_code: userCode } = await askForCodes(app, { resource: MCP, scope: `customer:read ${reserved}` })
  const page = await enter(new Browser(app), userCode)
  t.match(page.body, /is an assistant: it can use/)
  t.match(page.body, 'Look up customers')
  for (const permission of ['See the names of other users', 'Undo changes by other apps', 'See users, apps']) {
    t.notMatch(page.body, permission)
  }
  const grantTypes = ['client_credentials']
  await stores.clients.put(codeClient({
    id: 'robot', grantTypes, resources: [MCP], tokenEndpointAuthMethod: 'client_secret_post', allowedScope: `customer:read ${reserved}`
  }))
  const { secret } = await addSecret(stores, 'robot', { kind: 'shell', name: 'test' })
  const robot = { grant_type: 'client_credentials', client_id: 'robot', client_secret: secret, resource: MCP }
  t.match((await post(app, '/token', form({ ...robot, scope: `customer:read ${reserved}` }))).json(), { scope: /^customer:read$/ })
})

t.test('the page says what an assistant is, and what is new when it requests more', async t => {
  const { app, stores, assistants, exchange } = await prepare(t)
  for (const [how, id] of assistants) {
    const browser = new Browser(app)
    const search = (scope: string, changes = {}) => codeQuery({ client_id: id, resource: MCP, scope, ...changes })
    const sections = async (query: string) => {
      const { body } = await browser.get(`/consent?${query}`)
      return [...body.matchAll(/<h2>(.*?)<\/h2>\s*<ul[^>]*>(.*?)<\/ul>/gs)].map(([, title = '', list = '']) =>
        [title.replace(/<.*?>/g, ''), ...[...list.matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text)])
    }
    const READ = [['This will allow Notes to:', 'Look up customers']]
    const BOTH = [['This will allow Notes to:', 'Look up customers', 'Add and edit customers']]
    const first = await browser.get(`/consent?${search('customer:read')}`)
    t.match(first.body, ASSISTANT, how)
    t.match((await browser.get(`/consent?${search('customer:read', { resource: undefined })}`)).body, /^(?!.*is an assistant)/s)
    const tokens = await exchange(queryOf(await browser.allow(search('customer:read'))).code, id)
    t.equal(tokens.scope, 'customer:read')
    t.same(await sections(search('customer:read')), READ, 'nothing is new')
    t.same(await sections(search('customer:read customer:write')), [
      ['This will also allow Notes to:', 'Add and edit customers'], ['You already allowed it to:', 'Look up customers']
    ])
    t.same(await sections(search('customer:read customer:write', { resource: undefined })), BOTH, 'of another resource')
    const more = await exchange(queryOf(await browser.allow(search('customer:read customer:write'), {})).code, id)
    t.equal(more.scope, 'customer:read customer:write')
    t.same(await sections(search('customer:read customer:write')), BOTH, 'it is asked each time')
    t.same(await sections(search(ALL)), [
      ['This will also allow Notes to:', 'Remove customers'], ['You already allowed it to:', 'Look up customers', 'Add and edit customers']
    ])
    await stores.authorizedApps.remove((await stores.users.find('ann'))!.id, id)
    t.same(await sections(search(ALL)), [[...BOTH[0]!, 'Remove customers']], 'the access was removed')
  }
})

import { thrownBy } from '@frontdesk/test-kit/thrown'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import t from 'tap'
import { isSameResource, readAudience, readResource, refreshedResource } from '../../src/oauth/resource.js'
import type { Parameters } from '../../src/oauth/parameters.js'
import { addSecret } from '../../src/admin/client-secrets.js'
import { codeClient, codeQuery, exchangeForm, form, getCode, post, queryOf } from '../support/code-flow.js'
import { askForCodes, decide, DEVICE_CODE, deviceClient, poll } from '../support/device-flow.js'
import { Browser, build, fragmentOf, query } from '../support/helper.js'
import { registered } from '../support/oauth/client.js'

export const onBothDatabases = true

t.test('two addresses are the same resource by RFC 3986 §6.2.3: an empty path is /, and the usual port is none', async t => {
  const rows: Array<[one: string, other: string, isSame: boolean]> = [
    ['https://api.example', 'https://api.example/', true],
    ['https://api.example', 'https://api.example:443', true],
    ['https://api.example:443/', 'https://api.example', true],
    ['https://api.example:', 'https://api.example', true],
    ['HTTPS://API.example', 'https://api.example/', true],
    ['http://localhost:80/a', 'http://localhost/a', true],
    ['https://api.example?a=/', 'https://api.example/?a=/', true],
    ['http://[::1]:3001', 'http://[::1]:3001/', true],
    ['custom://host', 'custom://host/', true],
    ['https://api.example/a', 'https://api.example/a/', false],
    ['https://api.example/A', 'https://api.example/a', false],
    ['https://api.example', 'http://api.example', false],
    ['https://api.example:80', 'https://api.example', false],
    ['http://api.example:443', 'http://api.example', false],
    ['https://api.example.', 'https://api.example', false],
    ['https://api.example#', 'https://api.example', false],
    ['https://api.example?', 'https://api.example', false],
    ['https://Ann@api.example', 'https://ann@api.example', false],
    ['https://api.example//', 'https://api.example/', false],
    ['https://api.example/%7Ea', 'https://api.example/~a', false],
    ['urn:api', 'urn:api/', false],
    ['app', 'app/', false]
  ]
  for (const [one, other, isSame] of rows) {
    t.equal(isSameResource(one, other), isSame, `${one} ${other}`)
    t.equal(isSameResource(other, one), isSame, `${other} ${one}`)
  }
  fc.assert(fc.property(fc.webUrl(), url => {
    t.ok(isSameResource(url, new URL(url).href) || /\/\.|%/.test(url), url)
  }))
})

t.test('a token is for the resource that is named, as it is registered, or for the usual one (RFC 8707 §2)', async t => {
  const known = { issuer: 'https://id.example', defaultAudience: 'https://api.example', adminAudience: undefined, mcpResources: [] }
  const client = registered({ resources: ['https://files.example/', 'https://both.example', 'https://both.example/'] })
  const audience = (resource: string | string[] | undefined) => readAudience({ resource }, client, known)
  for (const resource of [undefined, '', 'https://api.example', 'https://api.example/']) t.equal(audience(resource), 'https://api.example')
  for (const resource of ['https://files.example', 'https://files.example/']) t.equal(audience(resource), 'https://files.example/')
  for (const resource of ['https://both.example', 'https://both.example/']) t.equal(audience(resource), resource, 'the exact one first')
  t.match(thrownBy(() => audience('https://files.example/a')), { error: 'invalid_target', message: 'resource is not allowed for the client' })
  for (const second of ['https://files.example/', 'https://api.example']) {
    t.match(thrownBy(() => audience(['https://api.example', second])), { error: 'invalid_target', message: 'resource is repeated', description: 'The request has several resources. Request a token for each.' })
  }
  t.equal(readResource({}, client, known), undefined)
})

t.test('a refresh token gets a token for the granted resource, or for the directory if its scope was granted (RFC 8707 §2.2)', async t => {
  const server = { issuer: 'https://id.example', defaultAudience: 'https://api.example', adminAudience: undefined, mcpResources: [] }
  const audience = (resource: Parameters[string], scope: string) => refreshedResource({ resource }, { audience: 'https://api.example', scope }, server)
  for (const resource of [undefined, '', 'https://api.example', 'https://api.example/']) {
    for (const scope of ['a', 'a directory:read']) t.equal(audience(resource, scope), 'https://api.example')
  }
  for (const resource of ['https://id.example', 'https://id.example/']) {
    t.equal(audience(resource, 'a directory:read'), 'https://id.example')
    t.match(thrownBy(() => audience(resource, 'a directory:reads')), { error: 'invalid_target', message: 'resource was not granted' })
  }
  for (const [resource, message] of [['https://other.example', 'resource was not granted'], [['a', 'b'], 'resource is repeated']] as Array<[Parameters[string], string]>) {
    t.match(thrownBy(() => audience(resource, 'directory:read')), { error: 'invalid_target', message })
  }
})

t.test('every endpoint compares in this way; a mismatch and several resources are invalid_target, and spend nothing', async t => {
  const { app, stores } = await build(t)
  const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_CODE]
  const resources = ['https://files.example', 'https://more.example/']
  await stores.clients.put(codeClient({ grantTypes, resources, implicit: 'allowed' }))
  await stores.clients.put(deviceClient({ resources }))
  await stores.clients.put(codeClient({ id: 'robot', grantTypes, resources, tokenEndpointAuthMethod: 'client_secret_post' }))
  const robot = { grant_type: 'client_credentials', client_id: 'robot', client_secret: (await addSecret(stores, 'robot', { kind: 'shell', name: 'test' })).secret }
  const wrong = ['resource=https://files.example/a', 'resource=https://files.example&resource=https://more.example/', 'resource=https://files.example&resource=https://files.example']
  const aud = (token: string) => decodeJwt(token).aud
  const token = async (fields: Record<string, string>, more = '') => (await post(app, '/token', `${form(fields)}&${more}`)).json()

  for (const [resource, audience] of [['https://files.example/', resources[0]], ['https://more.example', resources[1]], ['https://api.example/', 'https://api.example']] as const) {
    t.equal(aud(fragmentOf(await new Browser(app).allow(query({ resource }))).access_token!), audience)
    const code = await getCode(app, { resource })
    const exchange = Object.fromEntries(new URLSearchParams(exchangeForm(code)))
    for (const bad of [...wrong, `resource=${resources.find(it => it !== audience)}`]) t.equal((await token(exchange, bad)).error, 'invalid_target', bad)
    const first = await token(exchange, `resource=${resource}`)
    t.equal(aud(first.access_token), audience)
    const refresh = { grant_type: 'refresh_token', client_id: 'app', refresh_token: first.refresh_token }
    for (const bad of [...wrong, `resource=${resources.find(it => it !== audience)}`]) t.equal((await token(refresh, bad)).error, 'invalid_target', bad)
    t.equal(aud((await token(refresh, `resource=${resource}`)).access_token), audience)

    const { device_code: deviceCode, user_code: userCode } = await askForCodes(app, { resource })
    await decide(new Browser(app), userCode, 'allow')
    const ask = { grant_type: DEVICE_CODE, client_id: 'tv', device_code: deviceCode }
    for (const bad of [...wrong, `resource=${resources.find(it => it !== audience)}`]) t.equal((await token(ask, bad)).error, 'invalid_target', bad)
    t.equal(aud((await poll(app, deviceCode, { resource })).json().access_token), audience)
    t.equal(aud((await token(robot, `resource=${resource}`)).access_token), audience)
    t.equal((await post(app, '/par', codeQuery({ resource }))).statusCode, 201)
  }
  for (const bad of wrong) {
    t.equal(fragmentOf(await app.inject(`/authorize?${query()}&${bad}`)).error, 'invalid_target', bad)
    t.equal(queryOf(await app.inject(`/authorize?${codeQuery()}&${bad}`)).error, 'invalid_target', bad)
    t.equal((await token(robot, bad)).error, 'invalid_target', bad)
    t.equal((await post(app, '/par', `${codeQuery()}&${bad}`)).json().error, 'invalid_target', bad)
    t.equal((await post(app, '/device_authorization', `client_id=tv&${bad}`)).json().error, 'invalid_target', bad)
  }
})

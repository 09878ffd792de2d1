import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { hashOpaqueToken } from '../../../src/sign-in/opaque-token.js'
import { Browser, build, CALLBACK, fragmentOf, query } from '../../support/helper.js'
import { codeClient, exchangeForm, form, getCode, post } from '../../support/code-flow.js'

export const onBothDatabases = true

/** The app with the tokens of a grant, and a confidential client that can ask what a token is. */
async function prepare (t: Test) {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient({ implicit: 'allowed' }))
  await stores.clients.put(codeClient({ id: 'other', callbacks: [CALLBACK] }))
  await stores.clients.put(codeClient({ id: 'api', callbacks: [], tokenEndpointAuthMethod: 'client_secret_post' }))
  await stores.clientSecrets.add({ clientId: 'api', hash: hashOpaqueToken('secret'), createdAt: new Date() })
  const { access_token: access, refresh_token: refresh } = (await post(app, '/token', exchangeForm(await getCode(app)))).json()
  const introspect = async (token: string | undefined, changes: Record<string, string | undefined> = {}) =>
    await post(app, '/introspect', form({ client_id: 'api', client_secret: 'secret', token, ...changes }))
  return {
    app,
    stores,
    access: access as string,
    refresh: refresh as string,
    introspect,
    isActive: async (token: string) => (await introspect(token)).json().active as boolean,
    revoke: async (token: string | undefined, changes: Record<string, string | undefined> = {}) =>
      await post(app, '/revoke', form({ client_id: 'app', token, ...changes })),
    use: async (token: string) => await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token }))
  }
}

t.test('to revoke a refresh token ends its whole grant, with the access tokens (RFC 7009 §2.1)', async t => {
  const { access, refresh, isActive, revoke, use, stores } = await prepare(t)
  t.equal(await isActive(access), true)
  const response = await revoke(refresh, { token_type_hint: 'access_token' })
  t.equal(response.statusCode, 200)
  t.match(response.headers['content-type'], /^application\/json/, 'clients that read JSON accept it')
  t.same(response.json(), {})
  t.equal(await isActive(access), false)
  t.equal((await use(refresh)).json().error, 'invalid_grant')
  const [revocation] = await stores.revocations.after({ revokedAt: new Date(0), id: '' }, 10)
  t.equal(revocation?.id, decodeJwt(access).grant_id)
  const end = decodeJwt(access).exp! * 1_000 + 600_000
  t.ok(revocation!.endsAt.getTime() >= end && revocation!.endsAt.getTime() < end + 30_000, 'kept until the last access token has ended')
})

t.test('to revoke an access token ends that one alone', async t => {
  const { app, access, refresh, isActive, revoke, use, stores } = await prepare(t)
  t.equal((await revoke(access)).statusCode, 200)
  t.equal(await isActive(access), false)
  t.match(await stores.revocations.after({ revokedAt: new Date(0), id: '' }, 10), [
    { id: decodeJwt(access).jti, endsAt: new Date(decodeJwt(access).exp! * 1000) }
  ])
  t.equal(await isActive((await use(refresh)).json().access_token), true)
  const { access_token: implicit } = fragmentOf(await new Browser(app).allow(query()))
  t.equal(await isActive(implicit!), true)
  await revoke(implicit)
  t.equal(await isActive(implicit!), false, 'one of the implicit grant too')
})

t.test('a refresh token whose answer was lost ends the sign-in too, for its own client', async t => {
  const { app, stores, refresh, revoke, use, isActive, introspect } = await prepare(t)
  const { access_token: access, refresh_token: lost } = (await use(refresh)).json()
  t.same((await introspect(refresh)).json(), { active: false })
  t.equal((await revoke(refresh, { client_id: 'other' })).json().error, 'invalid_request')
  t.equal(await isActive(access), true)
  for (const time of ['once', 'twice']) t.equal((await revoke(refresh)).statusCode, 200, time)
  t.equal(await isActive(access), false)
  t.equal((await use(lost)).json().error, 'invalid_grant')
  await app.auditTrail.flush()
  t.match(
    await stores.audit.list({ event: 'revocation' }, 10),
    [{ outcome: 'done', clientId: 'app', details: { id: decodeJwt(access).grant_id } }],
    'one row'
  )
})

t.test('an unknown token gets 200, and no client can revoke the token of another (RFC 7009 §2.2)', async t => {
  const { access, refresh, isActive, revoke, stores } = await prepare(t)
  for (const token of ['x', 'a.b.c', `${access}x`, `x${refresh}`]) t.equal((await revoke(token)).statusCode, 200, token.slice(0, 10))
  for (const token of [access, refresh]) {
    const response = await revoke(token, { client_id: 'other' })
    t.equal(response.statusCode, 400)
    t.equal(response.json().error, 'invalid_request')
  }
  t.equal((await revoke(undefined)).json().error, 'invalid_request')
  t.equal((await revoke(access, { client_id: undefined })).json().error, 'invalid_client')
  t.equal(await isActive(access), true)
  t.same(await stores.revocations.after({ revokedAt: new Date(0), id: '' }, 10), [])
})

t.test('introspection says what an access token is, or only that it does not count (RFC 7662 §2.2)', async t => {
  const { access, refresh, introspect, use } = await prepare(t)
  const response = await introspect(access)
  t.same(response.json(), { active: true, token_type: 'Bearer', ...decodeJwt(access) })
  t.equal(response.headers['cache-control'], 'no-store')
  for (const token of ['x', 'a.b.c', `${access}x`, refresh, access.replace(/\.[^.]+$/, '.')]) {
    t.same((await introspect(token)).json(), { active: false }, token.slice(0, 10))
  }
  t.equal((await introspect(undefined)).json().error, 'invalid_request')
  for (const changes of [{ client_secret: 'wrong' }, { client_secret: undefined }, { client_id: 'app', client_secret: undefined }]) {
    const refused = await introspect(access, changes)
    t.equal(refused.statusCode, 401)
    t.equal(refused.json().error, 'invalid_client')
  }
  await use(refresh)
})

t.test('a refresh token is active for its own client only, until it is spent', async t => {
  const { app, stores, introspect } = await prepare(t)
  await stores.clients.put(codeClient({ id: 'api', tokenEndpointAuthMethod: 'client_secret_post' }))
  const own = { client_id: 'api', client_secret: 'secret' }
  const code = await getCode(app, { client_id: 'api' })
  const { access_token: access, refresh_token: refresh } = (await post(app, '/token', exchangeForm(code, own))).json()
  const ann = await stores.users.find('ann')
  t.match((await introspect(refresh)).json(), {
    active: true,
    client_id: 'api',
    sub: ann?.id,
    scope: 'customer:read',
    iss: 'https://id.example',
    grant_id: decodeJwt(access).grant_id
  })
  t.notOk('token_type' in (await introspect(refresh)).json())
  await post(app, '/token', form({ grant_type: 'refresh_token', refresh_token: refresh, ...own }))
  t.same((await introspect(refresh)).json(), { active: false })
})

t.test('an app that registered itself sees its own tokens and those that are meant for it, until an operator adopts it', async t => {
  const { app, stores, access, refresh, introspect } = await prepare(t)
  for (const [registeredBy, id] of [['token', 'by-token'], ['open', 'by-itself'], ['document', 'https://notes.example/client.json']] as const) {
    // The resource of a token is no sign: every app that registered itself may request tokens for the same ones.
    const resources = ['https://api.example', 'https://mcp.example']
    const documentFreshUntil = new Date(Date.now() + 60_000)
    await stores.clients.put(codeClient({ id, tokenEndpointAuthMethod: 'client_secret_post', registeredBy, resources, documentFreshUntil }))
    await stores.clientSecrets.add({ clientId: id, hash: hashOpaqueToken('secret'), createdAt: new Date() })
    await stores.clients.put(codeClient({ resources: [id] }))
    const own = { client_id: id, client_secret: 'secret' }
    for (const token of [access, refresh]) t.same((await introspect(token, own)).json(), { active: false }, registeredBy)
    const { access_token: meant } = (await post(app, '/token', exchangeForm(await getCode(app, { resource: id })))).json()
    t.match((await introspect(meant, own)).json(), { active: true, aud: id, client_id: 'app' }, 'meant for it')
    await stores.clients.change(id, { registeredBy: 'operator' })
    t.match((await introspect(access, own)).json(), { active: true })
    const { access_token: owned } = (await post(app, '/token', exchangeForm(await getCode(app, { client_id: id }), own))).json()
    await stores.clients.change(id, { registeredBy })
    t.match((await introspect(owned, own)).json(), { active: true, client_id: id }, 'its own')
  }
})

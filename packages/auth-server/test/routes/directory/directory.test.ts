import { makeDpopKey, signProof } from '@frontdesk/test-kit/dpop'
import { randomUUID } from 'node:crypto'
import t from 'tap'
import { hashPassword } from '../../../src/sign-in/password.js'
import { subjectOf } from '../../../src/oauth/subject.js'
import { codeClient, exchangeForm, form, getCode, post } from '../../support/code-flow.js'
import { ask, buildDirectory, reader, refresh, signIn } from '../../support/directory.js'

export const onBothDatabases = true

t.test('the directory gives the names of users, in order; unknown, erased and nameless users are absent alike', async t => {
  const { app, stores, ann, token } = await buildDirectory(t)
  const add = async (username: string, name?: string) => {
    const id = randomUUID()
    await stores.users.add({ id, username, passwordHash: await hashPassword(username), demo: false, ...name !== undefined && { name } })
    return id
  }
  const [bob, nameless, erased] = [await add('bob', 'Bob Example'), await add('cy'), await add('dan', 'Dan Example')]
  await stores.users.setDisabled('bob', new Date())
  await stores.users.remove('dan')
  const answer = await ask(app, await token(), { sub: [bob, ann, nameless, erased, randomUUID(), 'bob', 'a\0b', bob] })
  t.equal(answer.statusCode, 200)
  t.equal(answer.headers['cache-control'], 'no-store')
  t.strictSame(answer.json(), { users: [{ sub: bob, name: 'Bob Example' }, { sub: ann, name: 'Ann Example' }] }, 'also a disabled user')
})

t.test('apps with pairwise subs get the names for those of their own sector only', async t => {
  const { app, stores, ann, token } = await buildDirectory(t)
  for (const [id, sectorIdentifier] of [['shop', 'shop.example'], ['shop-2', 'shop.example'], ['news', 'news.example']] as const) {
    await stores.clients.put(reader({ id, sectorIdentifier }))
  }
  const names = async (id: string, sub: string[]) =>
    (await ask(app, await token(id), { sub })).json().users.map(({ sub }: { sub: string }) => sub)
  const subOf = async (id: string) => subjectOf((await stores.clients.find(id))!, ann)
  const subs = [ann, await subOf('shop'), await subOf('news')]
  t.strictSame(await names('shop', subs), [subs[1]])
  t.strictSame(await names('shop-2', subs), [subs[1]])
  t.strictSame(await names('news', subs), [subs[2]])
  t.strictSame(await names('reader', subs), [ann])
})

t.test('requests need a live token for the issuer with the scope, from an app that still has it', async t => {
  const { app, stores, ann, token } = await buildDirectory(t)
  const sub = [ann]
  const refused = async (accessToken: string | undefined, headers?: Record<string, string>) => {
    const answer = await ask(app, accessToken, { sub }, headers)
    t.match(answer.headers['www-authenticate'], 'realm="directory"')
    return [answer.statusCode, answer.json().error]
  }
  const { access_token: forTheApi, refresh_token: next = '' } = await signIn(app, 'reader')
  t.strictSame(await refused(undefined), [401, 'invalid_token'])
  t.strictSame(await refused('nonsense'), [401, 'invalid_token'])
  t.strictSame(await refused(forTheApi), [401, 'invalid_token'], 'the API could use it')
  t.strictSame(await refused(undefined, { authorization: `DPoP ${await token()}` }), [401, 'invalid_token'])
  await stores.clients.put(codeClient({ id: 'plain', resources: ['https://id.example'] }))
  const plain = await getCode(app, { client_id: 'plain', resource: 'https://id.example', scope: 'customer:read' })
  const { access_token: unscoped } = (await post(app, '/token', exchangeForm(plain, { client_id: 'plain' }))).json()
  t.strictSame(await refused(unscoped), [403, 'insufficient_scope'])

  const { access_token: revoked } = await refresh(app, 'reader', next, { resource: 'https://id.example' })
  t.equal((await ask(app, revoked, { sub })).statusCode, 200)
  await post(app, '/revoke', form({ token: revoked, client_id: 'reader' }))
  t.strictSame(await refused(revoked), [401, 'invalid_token'])
  const narrowed = await token()
  await stores.clients.change('reader', { allowedScope: 'openid', defaultScope: 'openid' })
  t.strictSame(await refused(narrowed), [403, 'insufficient_scope'])
  await stores.clients.put(reader())
  const disabled = await token()
  await stores.users.setDisabled('ann', new Date())
  t.strictSame(await refused(disabled), [401, 'invalid_token'])
})

t.test('a token that is bound to a key needs a proof of the key for this endpoint (RFC 9449 §7.1)', async t => {
  const { app, ann } = await buildDirectory(t)
  const key = await makeDpopKey()
  let nonce = String((await post(app, '/token', exchangeForm('none'), { dpop: 'x' })).headers['dpop-nonce'])
  const prove = async (path: string, accessToken?: string) => await signProof(key, { method: 'POST', url: `https://id.example${path}`, nonce, accessToken })
  const { refresh_token: first = '' } = await signIn(app, 'reader')
  const refreshed = await post(app, '/token', form({
    grant_type: 'refresh_token', client_id: 'reader', refresh_token: first, resource: 'https://id.example'
  }), { dpop: await prove('/token') })
  const { access_token: token, token_type: type } = refreshed.json()
  t.equal(type, 'DPoP')
  nonce = String(refreshed.headers['dpop-nonce'])
  const status = async (authorization: string, proof?: string) =>
    (await ask(app, undefined, { sub: [ann] }, { authorization, ...proof !== undefined && { dpop: proof } })).statusCode
  t.equal(await status(`DPoP ${token}`, await prove('/directory', token)), 200)
  t.equal(await status(`DPoP ${token}`, await prove('/userinfo', token)), 401)
  t.equal(await status(`DPoP ${token}`), 401)
  t.equal(await status(`Bearer ${token}`), 401)
})

t.test('a request names 1 to 100 users, in a small JSON object', async t => {
  const { app, ann, token } = await buildDirectory(t)
  const accessToken = await token()
  const subs = (count: number) => Array.from({ length: count }, () => randomUUID())
  for (const [body, headers, status] of [
    [{ sub: [...subs(99), ann] }, {}, 200],
    [{ sub: subs(101) }, {}, 400],
    [{ sub: [] }, {}, 400],
    [{ sub: [['a']] }, {}, 400],
    [{ sub: ['a'.repeat(256)] }, {}, 400],
    [{}, {}, 400],
    [[ann], {}, 400],
    ['{"sub":', {}, 400],
    ['null', {}, 400],
    [`${'['.repeat(5_000)}`, {}, 400],
    [{ sub: [ann], more: 'a'.repeat(2_000_000) }, {}, 413],
    ['sub=a', { 'content-type': 'application/x-www-form-urlencoded' }, 415]
  ] as const) {
    const answer = await ask(app, accessToken, body, headers)
    t.equal(answer.statusCode, status, JSON.stringify(body).slice(0, 60))
    if (status !== 200) t.equal(answer.json().error, 'invalid_request')
  }
  t.equal((await app.inject('/directory')).statusCode, 405, 'there is no list')
})

t.test('a user can send 60 requests a minute, however many tokens they use', async t => {
  const { app, ann, token } = await buildDirectory(t)
  const tokens = [await token(), await token()]
  const statuses = await Promise.all(Array.from({ length: 64 }, async (_, index) => {
    const { statusCode, headers, json } = await ask(app, tokens[index % 2], { sub: [ann] })
    if (statusCode === 429) {
      t.ok(Number(headers['retry-after']) > 0)
      t.equal(json().error, 'temporarily_unavailable')
    }
    return statusCode
  }))
  t.equal(statuses.filter(status => status === 200).length, 60)
  t.equal(statuses.filter(status => status === 429).length, 4)
})

t.test('pages can call it from the origin of a registered callback', async t => {
  const { app, ann, token } = await buildDirectory(t)
  const accessToken = await token()
  const allowed = async (origin: string) => (await ask(app, accessToken, { sub: [ann] }, { origin })).headers['access-control-allow-origin']
  t.equal(await allowed('https://app.example'), 'https://app.example')
  t.notOk(await allowed('https://evil.example'))
  const preflight = await app.inject({
    method: 'OPTIONS', url: '/directory', headers: { origin: 'https://app.example', 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type' }
  })
  t.equal(preflight.statusCode, 204)
  t.equal(preflight.headers['access-control-allow-methods'], 'POST')
})

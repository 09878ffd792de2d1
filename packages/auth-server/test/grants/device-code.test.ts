import { decodeJwt } from 'jose'
import t, { type Test } from 'tap'
import { hashOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { form, post } from '../support/code-flow.js'
import { askForCodes, decide, DEVICE_CODE, deviceClient, poll } from '../support/device-flow.js'
import { Browser, build } from '../support/helper.js'

export const onBothDatabases = true

async function prepare (t: Test, changes = {}) {
  const built = await build(t)
  await built.stores.clients.put(deviceClient(changes))
  return { ...built, browser: new Browser(built.app) }
}

t.test('a device gets tokens after a person has allowed it (RFC 8628 §3)', async t => {
  const { app, stores, browser } = await prepare(t)
  const codes = await askForCodes(app, { scope: 'customer:read x "y"' })
  t.match((await poll(app, codes.device_code)).json(), { error: 'authorization_pending', error_description: String })
  const allowed = await decide(browser, codes.user_code, 'allow')
  t.match(allowed, { statusCode: 303, headers: { location: '/device' } })
  const response = await poll(app, codes.device_code)
  t.equal(response.statusCode, 200)
  t.match(response.headers, { 'cache-control': 'no-store', 'content-type': /^application\/json/ })
  t.match(response.json(), { token_type: 'Bearer', expires_in: 600, scope: 'customer:read x', refresh_token: String })
  t.notOk('id_token' in response.json())
  const ann = (await stores.users.find('ann'))!
  t.match(decodeJwt(response.json().access_token), {
    sub: ann.id, client_id: 'tv', aud: 'https://api.example', scope: 'customer:read x', gty: DEVICE_CODE, grant_id: /^[\w-]{36}$/, auth_time: Number
  })
  t.same((await stores.users.storedData('ann', new Date()))?.clients, ['tv'])
  const refreshed = await post(app, '/token', form({
    grant_type: 'refresh_token', client_id: 'tv', refresh_token: response.json().refresh_token
  }))
  t.equal(refreshed.statusCode, 200)
})

t.test('with openid it gets an ID token, and a refresh token only where that is registered', async t => {
  for (const [grantTypes, scope] of [
    [[DEVICE_CODE, 'refresh_token'], 'openid email offline_access'], [[DEVICE_CODE], 'openid email']
  ] as const) {
    const { app, stores, browser } = await prepare(t, { grantTypes })
    const { device_code: code, user_code: userCode } = await askForCodes(app, { scope: 'openid email offline_access' })
    await decide(browser, userCode, 'allow')
    const answer = (await poll(app, code)).json()
    t.equal(answer.scope, scope)
    t.equal('refresh_token' in answer, grantTypes.length === 2)
    const claims = decodeJwt(answer.id_token)
    t.match(claims, { sub: (await stores.users.find('ann'))!.id, aud: 'tv', auth_time: Number, at_hash: String })
    t.notOk('nonce' in claims)
    const userinfo = await app.inject({ url: '/userinfo', headers: { authorization: `Bearer ${answer.access_token}` } })
    t.equal(userinfo.statusCode, 200)
  }
})

t.test('a device code is good for its own client and resource, and once; a reuse revokes the grant', async t => {
  const { app, stores, browser } = await prepare(t, { resources: ['https://other.example'] })
  await stores.clients.put(deviceClient({ id: 'thief' }))
  const { device_code: code, user_code: userCode } = await askForCodes(app, { resource: 'https://other.example' })
  await decide(browser, userCode, 'allow')
  for (const [changes, error] of [[{ client_id: 'thief' }, 'invalid_grant'], [{ resource: 'https://api.example' }, 'invalid_target'], [{ device_code: 'x' }, 'invalid_grant']] as const) {
    t.match((await poll(app, code, changes)).json(), { error })
  }
  t.match((await poll(app, code, { device_code: undefined })).json(), { error_description: 'The parameter device_code is missing.' })
  const answer = (await poll(app, code, { resource: 'https://other.example' })).json()
  t.match(decodeJwt(answer.access_token), { aud: 'https://other.example' })
  t.match((await poll(app, code, { client_id: 'thief' })).json(), { error: 'invalid_grant' })
  const grant = String(decodeJwt(answer.access_token).grant_id)
  t.equal(await stores.revocations.has([grant]), false, 'another client cannot revoke it')
  const again = await poll(app, code)
  t.match({ code: again.statusCode, ...again.json() }, { code: 400, error: 'invalid_grant' })
  t.equal(await stores.revocations.has([grant]), true)
})

t.test('of 100 polls at once exactly one gives tokens', async t => {
  const { app, browser } = await prepare(t)
  const { device_code: code, user_code: userCode } = await askForCodes(app)
  await decide(browser, userCode, 'allow')
  const responses = await Promise.all(Array.from({ length: 100 }, () => poll(app, code)))
  t.equal(responses.filter(({ statusCode }) => statusCode === 200).length, 1)
  // A slow machine may have no connection for all of them in time.
  t.equal(responses.filter(({ statusCode }) => [400, 503].includes(statusCode)).length, 99)
})

t.test('a device that asks too often is slowed down, one that was denied or came too late is told so (RFC 8628 §3.5)', async t => {
  const { app, stores, browser } = await prepare(t)
  const { device_code: code, user_code: userCode } = await askForCodes(app)
  const error = async (code: string) => {
    const response = await poll(app, code)
    t.equal(response.statusCode, 400)
    return response.json().error
  }
  t.equal(await error(code), 'authorization_pending')
  t.equal(await error(code), 'slow_down')
  t.match(await decide(browser, userCode, 'deny'), { statusCode: 303 })
  t.equal(await error(code), 'access_denied')
  const [now, ago] = [new Date(), new Date(Date.now() - 1_000)]
  const late = { hash: hashOpaqueToken('late'), userCodeHash: 'late', pollInterval: 5, createdAt: ago, expiresAt: now }
  await stores.deviceCodes.add({ ...late, clientId: 'tv', scope: '', audience: 'https://api.example', acrValues: '', maxAge: null })
  t.equal(await error('late'), 'expired_token')
})

t.test('polls of a device that waits are no refusals in the audit trail; a grant, its tokens and a denial are in it', async t => {
  const { app, stores, browser } = await prepare(t)
  const [allowed, denied] = [await askForCodes(app), await askForCodes(app)]
  for (let i = 0; i < 3; i++) await poll(app, allowed.device_code)
  await decide(browser, allowed.user_code, 'allow')
  await poll(app, allowed.device_code)
  await decide(browser, denied.user_code, 'deny')
  await poll(app, denied.device_code)
  await app.auditTrail.flush()
  const userId = (await stores.users.find('ann'))!.id
  const rows = (await stores.audit.list({ clientId: 'tv' }, 20)).map(({ event, outcome, userId }) => ({ event, outcome, userId }))
  t.same(rows.toReversed(), [
    { event: 'sign-in', outcome: 'signed in', userId },
    { event: 'grant', outcome: DEVICE_CODE, userId },
    { event: 'token', outcome: DEVICE_CODE, userId },
    { event: 'refusal', outcome: 'access_denied', userId: null },
    { event: 'refusal', outcome: 'access_denied', userId: null }
  ])
})

t.test('no tokens after access has ended, and none for a client that may not use the grant', async t => {
  const { app, stores, browser } = await prepare(t)
  const endings: Array<() => Promise<unknown>> = [
    () => stores.users.setPassword('ann', 'x'),
    () => stores.users.setDisabled('ann', new Date())
  ]
  const { passwordHash } = (await stores.users.find('ann'))!
  for (const end of endings) {
    await stores.users.setPassword('ann', passwordHash)
    const { device_code: code, user_code: userCode } = await askForCodes(app)
    await decide(browser, userCode, 'allow')
    await end()
    t.match((await poll(app, code)).json(), { error: 'invalid_grant' })
  }
  const { device_code: code } = await askForCodes(app)
  await stores.clients.put(deviceClient({ grantTypes: ['refresh_token'] }))
  t.match((await poll(app, code)).json(), { error: 'unauthorized_client' })
  await stores.clients.setDisabled('tv', new Date())
  t.equal((await poll(app, code)).statusCode, 401)
})

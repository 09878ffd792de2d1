import t, { type Test } from 'tap'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from '../support/code-flow.js'
import { askForCodes, decide, deviceClient, poll } from '../support/device-flow.js'
import { Browser, build, formTokenOf } from '../support/helper.js'
import { receive, send } from '../support/back-channel-logout/receiver.js'

export const onBothDatabases = true

/** Ann, and an app that gets logout tokens. */
async function prepare (t: Test) {
  const { app, stores } = await build(t, { ALLOW_PRIVATE_NETWORKS: 'true' })
  const { uri } = await receive(t)
  await stores.clients.put(codeClient({ backchannelLogoutUri: uri, idTokenSignedResponseAlg: 'ES256' }))
  await stores.clients.put(codeClient({ id: 'plain' }))
  await stores.clients.put(deviceClient({ backchannelLogoutUri: uri, idTokenSignedResponseAlg: 'ES256' }))
  const browser = new Browser(app)
  let isSignedIn = false
  const signIn = async (scope: string, id = 'app') => {
    const { code } = queryOf(await browser.allow(codeQuery({ scope, client_id: id, prompt: 'consent' }), isSignedIn ? {} : undefined))
    isSignedIn = true
    return (await post(app, '/token', exchangeForm(code!, { client_id: id }))).json() as Record<'refresh_token' | 'id_token' | 'scope', string>
  }
  const refresh = async (token: string | undefined, id = 'app') =>
    (await post(app, '/token', form({ grant_type: 'refresh_token', client_id: id, refresh_token: token }))).json()
  return { app, browser, signIn, refresh }
}

const signOut = async (browser: Browser) =>
  await browser.post('/account', { transaction: formTokenOf(await browser.get('/account')), decision: 'sign-out' })

t.test('sign-out ends refresh tokens without offline_access of apps with back-channel logout, and no others (§2.7)', async t => {
  const { app, browser, signIn, refresh } = await prepare(t)
  const within = await signIn('openid customer:read')
  const beyond = await signIn('openid customer:read offline_access')
  t.match(beyond.scope, 'offline_access')
  const [oauth, plain] = [await signIn('customer:read'), await signIn('openid', 'plain')]
  const current = (await refresh(within.refresh_token)).refresh_token as string
  t.ok(current, 'before')
  t.equal((await signOut(browser)).statusCode, 200)
  for (const sent of [false, true]) {
    if (sent) await send(app, 1)
    for (const token of [current, within.refresh_token]) t.equal((await refresh(token)).error, 'invalid_grant', `sent: ${sent}`)
  }
  t.ok((await refresh(beyond.refresh_token)).access_token)
  t.ok((await refresh(oauth.refresh_token)).access_token, 'no ID token, so no session')
  t.ok((await refresh(plain.refresh_token, 'plain')).access_token, 'no address for logout tokens')
})

t.test('it ends them by the ID token, too, and those of a device by its own', async t => {
  const { app, browser, signIn, refresh } = await prepare(t)
  const within = await signIn('openid customer:read')
  const { device_code: code, user_code: userCode } = await askForCodes(app, { scope: 'openid' })
  await decide(browser, userCode, 'allow')
  const device = (await poll(app, code)).json()
  await new Browser(app).get(`/end-session?${form({ id_token_hint: within.id_token })}`)
  t.equal((await refresh(within.refresh_token)).error, 'invalid_grant')
  const renewed = await refresh(device.refresh_token, 'tv')
  t.ok(renewed.access_token, 'the sign-out of a browser is not that of a device')
  await new Browser(app).get(`/end-session?${form({ id_token_hint: device.id_token })}`)
  t.equal((await refresh(renewed.refresh_token, 'tv')).error, 'invalid_grant')
})

t.test('who signs in again in the same browser stays signed in at the app', async t => {
  const { browser, signIn, refresh } = await prepare(t)
  const { refresh_token: token } = await signIn('openid customer:read')
  await browser.allow(codeQuery({ scope: 'openid', prompt: 'login' }))
  t.ok((await refresh(token)).access_token)
})

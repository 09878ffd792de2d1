import t from 'tap'
import { logoutSent } from '../../src/telemetry/events.js'
import { codeQuery } from '../support/code-flow.js'
import { Browser, build, formTokenOf } from '../support/helper.js'
import { METADATA, pathOf, register, send as ask } from '../support/registration-flow.js'
import { receive, send, verify } from '../support/back-channel-logout/receiver.js'

t.test('an app that registered itself gets logout tokens, until it takes its address back (RFC 7592 §2.2)', async t => {
  const receiver = await receive(t)
  const { app, stores } = await build(t, { REGISTRATION: 'open', ALLOW_PRIVATE_NETWORKS: 'true' })
  const logout = { backchannel_logout_uri: receiver.uri, backchannel_logout_session_required: true }
  const answer = await register(app, { ...METADATA, ...logout, id_token_signed_response_alg: 'ES256' })
  t.match(answer.json(), logout)
  const { client_id: id, registration_access_token: token } = answer.json()
  t.match(await stores.clients.find(id), { backchannelLogoutUri: receiver.uri, backchannelLogoutSessionRequired: true })

  const browser = new Browser(app)
  await browser.allow(codeQuery({ client_id: id, scope: 'openid' }))
  await browser.post('/sign-out', { transaction: formTokenOf(await browser.get('/sign-out')) })
  const labels: string[] = []
  t.teardown(logoutSent.subscribe(({ client }) => labels.push(client)))
  t.same(await send(app, 1), ['delivered'])
  t.same(labels, ['self-registered'], 'metrics have one label for all such apps')
  t.match(await verify(app, receiver.tokens[0]!, id), { sid: /./, sub: (await stores.users.find('ann'))!.id })

  await browser.allow(codeQuery({ client_id: id, scope: 'openid' }))
  const changed = await ask(app, 'PUT', pathOf(answer), { ...METADATA, client_id: id }, token)
  t.equal(changed.statusCode, 200, changed.body)
  t.notOk('backchannel_logout_uri' in changed.json())
  await browser.post('/sign-out', { transaction: formTokenOf(await browser.get('/sign-out')) })
  await send(app, 0)
  t.equal(receiver.tokens.length, 1)
})

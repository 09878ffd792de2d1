import { decodeJwt } from 'jose'
import t from 'tap'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from '../support/code-flow.js'
import { askForCodes, decide, deviceClient, poll } from '../support/device-flow.js'
import { Browser, build, client, fragmentOf, query } from '../support/helper.js'
import { addSecret } from '../../src/admin/client-secrets.js'

// The grammar of RFC 6749 §3.3 has no empty scope.
t.test('scope is returned unless it is empty, and then left out, by every grant', async t => {
  const { app, stores } = await build(t)
  const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials']
  await stores.clients.put(codeClient({ defaultScope: '' }))
  await stores.clients.put(deviceClient({ defaultScope: '' }))
  await stores.clients.put(client({ id: 'implicit', defaultScope: '' }))
  await stores.clients.put(client({ id: 'robot', defaultScope: '', grantTypes, tokenEndpointAuthMethod: 'client_secret_post' }))
  const { secret } = await addSecret(stores, 'robot', { kind: 'shell', name: 'test' })
  const robot = { client_id: 'robot', client_secret: secret }
  const introspect = async (token: string) => (await post(app, '/introspect', form({ ...robot, token }))).json()

  for (const [asked, scope] of [[undefined, undefined], ['', undefined], ['"', undefined], ['a b', 'a b']] as const) {
    const name = `asked: ${asked}`
    const answers: Array<Record<string, string>> = [
      fragmentOf(await new Browser(app).allow(query({ client_id: 'implicit', scope: asked }))),
      (await post(app, '/token', exchangeForm(queryOf(await new Browser(app).allow(codeQuery({ scope: asked }))).code!))).json()
    ]
    answers.push((await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: answers[1]!.refresh_token }))).json())
    const { device_code: deviceCode, user_code: userCode } = await askForCodes(app, { scope: asked })
    await decide(new Browser(app), userCode, 'allow')
    answers.push((await poll(app, deviceCode)).json())
    if (asked !== '"' && asked !== 'a b') answers.push((await post(app, '/token', form({ grant_type: 'client_credentials', scope: asked, ...robot }))).json())
    for (const answer of answers) {
      t.ok(answer.access_token, name)
      t.equal(answer.scope, scope, name)
      t.equal('scope' in answer, scope !== undefined, name)
      t.equal(decodeJwt(answer.access_token!).scope, scope ?? '', `${name}: the claim is there`)
      const described = await introspect(answer.access_token!)
      t.ok(described.active)
      t.equal(described.scope, scope, `${name}: introspection`)
    }
  }
})

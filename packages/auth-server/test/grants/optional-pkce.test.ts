import t, { type Test } from 'tap'
import { hashOpaqueToken } from '../../src/sign-in/opaque-token.js'
import type { NewClient } from '../../src/stores/clients/client-row.js'
import { Browser, build } from '../support/helper.js'
import { codeClient, codeQuery, exchangeForm, getCode, post, queryOf } from '../support/code-flow.js'

export const onBothDatabases = true

const WITHOUT = { code_challenge: undefined, code_challenge_method: undefined }

/** The app with a client that has the secret `secret`. */
async function prepare (t: Test, changes: Partial<NewClient>) {
  const { app, stores } = await build(t)
  await stores.clients.put(codeClient(changes))
  await stores.clientSecrets.add({ clientId: 'app', hash: hashOpaqueToken('secret'), createdAt: new Date() })
  const secret = changes.tokenEndpointAuthMethod === 'none' ? undefined : 'secret'
  return {
    app,
    stores,
    ask: async (query: Record<string, string | undefined>) => queryOf(await new Browser(app).get(`/authorize?${codeQuery(query)}`)),
    exchange: async (code: string, verifier?: string) =>
      (await post(app, '/token', exchangeForm(code, { client_secret: secret, code_verifier: verifier }))).json()
  }
}

t.test('a confidential client with optional PKCE may leave it out, which is recorded', async t => {
  const { app, stores, exchange } = await prepare(t, { tokenEndpointAuthMethod: 'client_secret_post', pkce: 'optional' })
  t.equal((await exchange(await getCode(app), 'v'.repeat(43))).token_type, 'Bearer')
  t.equal((await stores.clients.list())[0]?.withoutPkceAt, null, 'it used PKCE')
  t.equal((await exchange(await getCode(app, WITHOUT))).token_type, 'Bearer')
  const { withoutPkceAt } = (await stores.clients.list())[0]!
  t.ok(withoutPkceAt !== null && withoutPkceAt.getTime() <= Date.now() && withoutPkceAt.getTime() > Date.now() - 3_600_001)
  await app.auditTrail.flush()
  t.same((await stores.audit.list({ event: 'token' }, 10)).map(({ details }) => (details as { pkce?: string }).pkce), ['none', undefined])
})

t.test('a verifier fits only a code that was requested with its challenge (RFC 9700 §2.1.1)', async t => {
  const { app, exchange } = await prepare(t, { tokenEndpointAuthMethod: 'client_secret_post', pkce: 'optional' })
  t.equal((await exchange(await getCode(app))).error, 'invalid_grant', 'a challenge and no verifier')
  t.equal((await exchange(await getCode(app, WITHOUT), 'v'.repeat(43))).error, 'invalid_grant', 'a verifier and no challenge')
})

t.test('every other client needs it, also a public one that is registered otherwise', async t => {
  for (const changes of [
    { tokenEndpointAuthMethod: 'client_secret_post' },
    { tokenEndpointAuthMethod: 'none', pkce: 'optional' }
  ] as const) {
    const { app, stores, ask, exchange } = await prepare(t, changes)
    t.match(await ask(WITHOUT), { error: 'invalid_request', error_description: /code_challenge/ })
    t.match(await exchange(await getCode(app)), { error: 'invalid_request', error_description: 'The parameter code_verifier is missing.' })
    t.match(await ask({ code_challenge_method: undefined }), { error: 'invalid_request' })
    t.equal((await stores.clients.find('app'))?.withoutPkceAt, null)
  }
  const { ask } = await prepare(t, { tokenEndpointAuthMethod: 'client_secret_post', pkce: 'optional' })
  for (const half of [{ code_challenge: undefined }, { code_challenge_method: undefined }]) {
    t.match(await ask(half), { error: 'invalid_request' }, 'half of it')
  }
})

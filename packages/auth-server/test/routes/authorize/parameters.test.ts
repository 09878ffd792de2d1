import t from 'tap'
import { build, client, query } from '../../support/helper.js'

t.test('a request of OpenID Connect names its callback, and its prompt is known; another may do without (OpenID Connect Core §3.1.2.1)', async t => {
  const { app, stores } = await build(t)
  const all = { implicit: 'allowed', grantTypes: ['authorization_code'] } as const
  await stores.clients.put(client(all))
  await stores.clients.put(client({ ...all, id: 'openid', defaultScope: 'openid' }))
  const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
  const rows: Array<[name: string, changes: Record<string, string>, isOpenid: boolean]> = [
    ['a token', { response_type: 'token' }, false],
    ['a token with openid', { response_type: 'token', scope: 'openid' }, false],
    ['a token of an app whose default is openid', { response_type: 'token', client_id: 'openid' }, false],
    ['a code', { response_type: 'code', ...challenge }, false],
    ['a code with scopes like openid', { response_type: 'code', scope: 'openid2 OPENID', ...challenge }, false],
    ['a code with openid', { response_type: 'code', scope: 'a openid', ...challenge }, true],
    ['a code of an app whose default is openid', { response_type: 'code', client_id: 'openid', ...challenge }, true],
    ['an ID token', { response_type: 'id_token', scope: 'openid', nonce: 'n' }, true],
    ['an ID token and a token', { response_type: 'id_token token', scope: 'openid', nonce: 'n' }, true],
    ['the same in another order', { response_type: 'token id_token', scope: 'openid', nonce: 'n' }, true]
  ]
  for (const [name, changes, isOpenid] of rows) {
    for (const redirectUri of [undefined, '']) {
      const unnamed = await app.inject({ url: `/authorize?${query({ ...changes, redirect_uri: redirectUri })}`, headers: { accept: 'text/html' } })
      t.equal(unnamed.statusCode, isOpenid ? 400 : 302, name)
      t.equal(unnamed.headers.location?.includes('error='), isOpenid ? undefined : false, name)
      if (isOpenid) t.match(unnamed.body, /is incomplete.*missing <code>redirect_uri<\/code>/s, name)
    }
    for (const prompt of ['create', 'login create', 'NONE', 'none2']) {
      const { statusCode, headers } = await app.inject(`/authorize?${query({ ...changes, prompt })}`)
      t.equal(statusCode, 302, name)
      const answer = new URLSearchParams(String(headers.location).split(/[?#]/)[1])
      t.match(Object.fromEntries(answer), isOpenid ? { error: 'invalid_request', error_description: 'The parameter prompt has an invalid value.' } : { prompt }, name)
    }
    t.notMatch((await app.inject(`/authorize?${query({ ...changes, prompt: 'login consent' })}`)).headers.location, 'error=', name)
    const scopeless = await app.inject(`/authorize?${query({ ...changes, response_type: 'code id_token', redirect_uri: undefined })}`)
    t.equal(scopeless.statusCode, 400, 'hybrid types have an ID token, too')
  }
})

t.test('a parameter without a value is one that was left out (RFC 6749 §3.1)', async t => {
  const { app, stores } = await build(t)
  await stores.clients.put(client({ implicit: 'allowed', grantTypes: ['authorization_code'], requirePushedAuthorizationRequests: false }))
  const names = [
    'redirect_uri', 'scope', 'state', 'response_mode', 'request', 'request_uri', 'resource', 'prompt', 'max_age', 'login_hint', 'nonce',
    'claims', 'acr_values', 'id_token_hint', 'dpop_jkt', 'code_challenge', 'code_challenge_method', 'unknown'
  ]
  const none = { redirect_uri: undefined, state: undefined }
  for (const search of [query(none), query({ response_type: 'code', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256', ...none })]) {
    for (const name of names) {
      for (const empty of [`${name}`, `${name}=`, `${name}=&${name}=`]) {
        const response = await app.inject(`/authorize?${search}&${empty}`)
        t.equal(response.headers.location, `https://id.example/consent?${search}&${empty}`, empty)
      }
    }
    t.equal((await app.inject(`/authorize?client_id=&${search}&response_type=`)).statusCode, 302, 'also where the name comes again with a value')
  }
})

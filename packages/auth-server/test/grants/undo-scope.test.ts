import { decodeJwt } from 'jose'
import t from 'tap'
import { addSecret } from '../../src/admin/client-secrets.js'
import { form, post } from '../support/code-flow.js'
import { buildDirectory, ISSUER, reader, refresh, signIn } from '../support/directory.js'
import { Browser, fragmentOf, query } from '../support/helper.js'

export const onBothDatabases = true

const SCOPE = 'openid customer:write customer:undo'
const WITHOUT = 'openid customer:write'

const scopeOf = ({ access_token: token, error }: Record<string, string>) => token === undefined ? error : decodeJwt(token).scope

t.test('customer:undo is in tokens for the API, and only if an operator has allowed it by name', async t => {
  const { app, stores } = await buildDirectory(t)
  for (const [changes, expected] of [
    [{ allowedScope: SCOPE }, SCOPE],
    [{ allowedScope: '* customer:undo' }, SCOPE],
    [{ allowedScope: '*' }, WITHOUT],
    [{ allowedScope: null }, WITHOUT],
    [{ allowedScope: WITHOUT }, WITHOUT],
    [{ registeredBy: 'token' }, WITHOUT],
    [{ registeredBy: 'open' }, WITHOUT]
  ] as const) {
    await stores.clients.put(reader({ id: 'other', allowedScope: SCOPE, defaultScope: SCOPE, ...changes }))
    const first = await signIn(app, 'other', { scope: SCOPE })
    t.equal(scopeOf(first), expected, JSON.stringify(changes))
    const next = await refresh(app, 'other', first.refresh_token!)
    t.equal(scopeOf(next), expected, 'and with the refresh token')
    t.match(await refresh(app, 'other', next.refresh_token!, { resource: ISSUER }), { error: 'invalid_target' }, 'never for the issuer')
  }
})

t.test('an app that loses the scope loses it with the next refresh', async t => {
  const { app, stores } = await buildDirectory(t)
  await stores.clients.put(reader({ id: 'other', allowedScope: SCOPE, defaultScope: SCOPE }))
  const { refresh_token: token = '' } = await signIn(app, 'other', { scope: SCOPE })
  await stores.clients.change('other', { allowedScope: WITHOUT, defaultScope: WITHOUT })
  t.equal(scopeOf(await refresh(app, 'other', token)), WITHOUT)
})

t.test('never by the implicit grant; a client on its own behalf can have it', async t => {
  const { app, stores } = await buildDirectory(t, { implicit: 'allowed', allowedScope: SCOPE, defaultScope: SCOPE })
  const ask = query({ client_id: 'reader', scope: 'customer:undo' })
  t.equal(fragmentOf(await new Browser(app).get(`/authorize?${ask}`)).error, 'invalid_scope')
  await stores.clients.put(reader({
    id: 'robot',
    grantTypes: ['client_credentials'],
    callbacks: [],
    tokenEndpointAuthMethod: 'client_secret_post',
    allowedScope: 'customer:write customer:undo',
    defaultScope: 'customer:write'
  }))
  const { secret } = await addSecret(stores, 'robot', { kind: 'shell', name: 'test' })
  const token = async (scope: string) =>
    (await post(app, '/token', form({ grant_type: 'client_credentials', client_id: 'robot', client_secret: secret, scope }))).json()
  t.equal(scopeOf(await token('customer:write customer:undo')), 'customer:write customer:undo')
})

import t, { type Test } from 'tap'
import { hashOpaqueToken } from '../../../src/sign-in/opaque-token.js'
import type { RegistrationToken } from '../../../src/stores/clients/registration-tokens.js'
import { form, post } from '../../support/code-flow.js'
import { build } from '../../support/helper.js'
import { METADATA, pathOf, register, send } from '../../support/registration-flow.js'

export const onBothDatabases = true

const JOB = { ...METADATA, grant_types: ['client_credentials'], token_endpoint_auth_method: 'client_secret_post' }

/** An app that registered with an initial access token for client_credentials, and what it can do. */
async function prepare (t: Test, token: Partial<RegistrationToken> = {}, metadata: object = {}) {
  const { app, stores } = await build(t, { REGISTRATION: 'token' })
  await stores.registrationTokens.add({
    id: '1',
    hash: hashOpaqueToken('initial'),
    usesLeft: 1,
    grantTypes: ['client_credentials'],
    allowedScope: null,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 60_000),
    ...token
  })
  const answer = (await register(app, { ...JOB, ...metadata }, 'initial'))
  let { client_id: id, client_secret: secret, registration_access_token: access } = answer.json()
  return {
    stores,
    id: id as string,
    registered: answer.json(),
    put: async (changes: object) => {
      const changed = (await send(app, 'PUT', pathOf(answer), { client_id: id, ...JOB, ...changes }, access)).json()
      access = changed.registration_access_token ?? access
      return changed
    },
    ask: async (scope?: string) => {
      const asked = await post(app, '/token', form({ grant_type: 'client_credentials', client_id: id, client_secret: secret, scope }))
      const { scope: given = '', error } = asked.json()
      return error ?? given
    }
  }
}

t.test('what an app says of its scope gives it none: it gets those that its initial access token allowed', async t => {
  const { ask, put, registered, stores, id } = await prepare(t, {}, { scope: 'customer:delete admin customer:undo' })
  t.equal(registered.scope, 'customer:delete admin', 'for a person to allow, without what only the operator can')
  t.equal(await ask(), '')
  t.equal(await ask('admin'), 'invalid_scope')
  t.equal((await put({ scope: 'customer:write' })).scope, 'customer:write')
  for (const scope of [undefined, '']) t.equal(await ask(scope), '', 'nor after a change')
  for (const scope of ['customer:write', 'admin']) t.equal(await ask(scope), 'invalid_scope')
  await stores.clients.change(id, { allowedScope: 'customer:write customer:read' })
  t.equal(await ask(), 'customer:write')
  t.equal(await ask('customer:read'), 'customer:read')
})

t.test('the limit of the operator is kept by every change; more is left out', async t => {
  const { ask, put, registered, stores, id } = await prepare(t, { allowedScope: 'customer:read jobs' }, { scope: 'customer:read customer:delete' })
  t.equal(registered.scope, 'customer:read')
  t.equal(await ask(), 'customer:read')
  t.equal(await ask('jobs'), 'jobs')
  for (const scope of ['customer:delete', 'jobs customer:delete', 'x']) {
    t.equal((await put({ scope })).scope, scope.startsWith('jobs') ? 'jobs' : undefined)
    t.equal(await ask(scope), 'invalid_scope')
    t.match(await stores.clients.find(id), { allowedScope: 'customer:read jobs' })
  }
  await stores.clients.change(id, { allowedScope: 'customer:read' })
  t.equal((await put({ scope: 'jobs customer:read' })).scope, 'customer:read')
  t.equal(await ask('jobs'), 'invalid_scope')
})

t.test('a change registers for no grant that was not allowed, and for none that an operator took away', async t => {
  const all = ['authorization_code', 'refresh_token', 'client_credentials']
  const { put, registered, stores, id } = await prepare(t, {}, { grant_types: all })
  t.same(registered.grant_types, ['client_credentials'])
  t.same((await put({ grant_types: all })).grant_types, ['client_credentials'], 'not even for the usual ones')
  const open = await prepare(t, { grantTypes: all }, { grant_types: all })
  t.same((await open.put({ grant_types: all })).grant_types, all)
  await open.stores.clients.change(open.id, { grantTypes: ['authorization_code'] })
  t.same((await open.put({ grant_types: all })).grant_types, ['authorization_code'])
  await stores.clients.change(id, { registeredBy: 'operator' })
  t.match(await put({ grant_types: all }), { error: 'invalid_token' })
})

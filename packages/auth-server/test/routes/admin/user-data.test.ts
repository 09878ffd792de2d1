import t from 'tap'
import * as tables from '../../../src/generated/tables.js'
import { buildAdmin, tokens } from '../../support/admin/admin.js'
import { Browser, query } from '../../support/helper.js'
import { codeClient } from '../../support/code-flow.js'

export const onBothDatabases = true

t.test('the export of a user has all that is stored about them, and nothing that authenticates', async t => {
  const built = await buildAdmin(t)
  const { app, add, as, stores, logs } = built
  const eve = await add('eve', 'auditor')
  const id = await add('Zoë')
  await stores.profiles.change({ id }, { email: 'zoe@example.com' })
  await stores.clients.put(codeClient({ id: 'shop', defaultScope: 'customer:read offline_access', grantTypes: ['authorization_code', 'refresh_token'] }))
  await stores.users.noteSignIn(id)
  const issued = await tokens(built, 'Zoë', { client_id: 'shop', resource: undefined, scope: 'openid offline_access' })
  await new Browser(app, '192.0.2.9').allow(query(), { username: 'Zoë', password: 'wrong' })
  await app.auditTrail.flush()

  const auditor = await as('eve')
  const answer = await auditor('GET', `/users/${id}/data`)
  t.equal(answer.statusCode, 200, answer.body)
  const data = answer.json()
  t.match(data.user, { id, username: 'Zoë', email: 'zoe@example.com', roles: [], firstSignInAt: /^\d/ })
  t.match(data, {
    sessions: [{ authTime: /^\d/ }],
    grants: [{ clientId: 'shop', responseType: 'code' }],
    failedSignIns: [{ source: '192.0.2.9', failures: 1 }],
    isComplete: true
  })
  t.ok(data.events.some((it: { event: string }) => it.event === 'sign-in'))
  const user = (await stores.users.find('Zoë'))!
  for (const secret of [user.passwordHash, issued.access_token, issued.refresh_token].filter(it => it !== undefined)) {
    t.notOk(answer.body.includes(secret))
    t.notOk(logs.join('').includes(secret))
  }
  t.notMatch(answer.body, /hash|"sid"|nonce|challenge/i)
  t.match(await stores.audit.list({ event: 'user export' }, 5), [{ userId: id, details: { by: eve } }])
  t.equal((await auditor('GET', '/users/nothing/data')).statusCode, 404)
})

t.test('each table that names users is exported, or it is known why not', async t => {
  const built = await buildAdmin(t)
  const { rows } = await built.stores.users.exportRows('unknown-user')
  const exported = {
    sessions: 'session',
    consoleSessions: 'console_session',
    authenticators: 'authenticator',
    passkeys: 'passkey',
    upstreamIdentities: 'upstream_identity',
    recoveryCodes: 'recovery_code',
    trustedBrowsers: 'trusted_browser',
    signUpCodes: 'sign_up_code',
    consents: 'consent',
    appUses: 'app_use',
    grants: 'access_grant',
    refreshTokens: 'refresh_token',
    clientSessions: 'client_session'
  }
  t.same(Object.keys(rows), Object.keys(exported))
  const others = {
    user_role: 'with the user',
    audit: 'as events',
    authorization_code: 'for a minute; its grant is exported',
    device_code: 'for minutes; its grant is exported',
    revocation: 'which tokens are refused',
    access_epoch: 'a number'
  }
  const naming = Object.values(tables).filter(({ columns }) => 'userId' in columns).map(({ name }) => name)
  t.same(naming.sort(), [...Object.values(exported), ...Object.keys(others)].sort())
})

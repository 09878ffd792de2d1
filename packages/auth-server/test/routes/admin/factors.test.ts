import t from 'tap'
import { loadConfig } from '../../../src/config.js'
import { buildAdmin } from '../../support/admin/admin.js'
import { buildConsole } from '../../support/admin/console.js'
import { addAuthenticator } from '../../support/factors.js'
import { readMail, startMailServer } from '../../support/mail-server.js'

export const onBothDatabases = true

const secrets = loadConfig({})

t.test('an administrator sees and removes the factors of a user, who is emailed; the audit trail has both', async t => {
  const server = await startMailServer(t)
  const { add, as, stores } = await buildAdmin(t, server.env)
  const rootId = await add('root', 'administrator')
  const id = await add('bob')
  await stores.profiles.change({ id }, { email: 'bob@example.com', emailVerified: true })
  const user = (await stores.users.find({ id }))!
  const { secret, codes } = await addAuthenticator(stores, secrets, user)
  const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 60_000)]
  await stores.trustedBrowsers.add(user, { id: 'one', userAgent: 'curl', createdAt, expiresAt })
  const root = await as('root')

  const shown = await root('GET', `/users/${id}/factors`)
  t.match(shown.json(), { authenticator: { lastUsedAt: null }, recoveryCodes: 10, trustedBrowsers: [{ id: 'one', userAgent: 'curl' }] })
  const exported = await root('GET', `/users/${id}/data`)
  t.match(exported.json(), { authenticators: [{ lastUsedAt: null }], trustedBrowsers: [{ userAgent: 'curl' }] })
  t.equal(exported.json().recoveryCodes.length, 10)
  for (const { body } of [shown, exported]) for (const it of [secret, ...codes, '"secret"', 'hash']) t.notMatch(body, it)

  t.same((await root('POST', `/users/${id}/remove-factors`)).json(), { removed: ['totp'] })
  t.same((await root('POST', `/users/${id}/remove-factors`)).json(), { removed: [] }, 'there is nothing left')
  t.same((await root('GET', `/users/${id}/factors`)).json(), {
    authenticator: null, passkeys: [], upstream: null, recoveryCodes: 0, trustedBrowsers: []
  })
  t.equal((await root('POST', '/users/none/remove-factors')).statusCode, 404)
  t.match((await stores.audit.list({ event: 'user remove-factors' }, 5)).at(-1), { userId: id, details: { by: rootId, removed: ['totp'] } })
  t.equal(server.mails.length, 1)
  t.match(readMail(server.mails[0]!).text, /An administrator turned off two-step sign-in.*Your user name is bob/s)
})

t.test('support and auditors cannot remove factors', async t => {
  const { add, as } = await buildAdmin(t)
  const id = await add('bob')
  for (const role of ['support', 'auditor']) {
    await add(role, role)
    const caller = await as(role)
    t.equal((await caller('GET', `/users/${id}/factors`)).statusCode, 200)
    t.equal((await caller('POST', `/users/${id}/remove-factors`)).statusCode, 403)
  }
})

t.test('the console shows the factors of a user, and removes them', async t => {
  const { add, as, stores } = await buildConsole(t)
  await add('root', 'administrator')
  const id = await add('bob')
  const path = `/people/${id}`
  const root = as('root')
  t.match((await root.open(path)).body, /<h2>Two-step sign-in<\/h2>\s*<p class="note">Off\.<\/p>/)
  await addAuthenticator(stores, secrets, (await stores.users.find({ id }))!)
  const { body } = await root.open(path)
  t.match(body, '10 unused')
  t.match(body, 'Turn off two-step sign-in')
  t.equal((await root.send(`${path}/remove-factors`, {}, path)).statusCode, 303)
  t.match((await root.open(path)).body, /Turned off two-step sign-in\..*<p class="note">Off\.<\/p>/s)
  t.equal((await stores.users.find({ id }))?.factors, null)
})

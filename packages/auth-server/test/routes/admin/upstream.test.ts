import t from 'tap'
import { buildAdmin } from '../../support/admin/admin.js'
import { buildConsole } from '../../support/admin/console.js'
import { readMail, startMailServer } from '../../support/mail-server.js'

export const onBothDatabases = true

const ISSUER = 'https://upstream.example'
const UPSTREAM = {
  UPSTREAM_ISSUER: ISSUER, UPSTREAM_NAME: 'Example', UPSTREAM_CLIENT_ID: 'frontdesk', UPSTREAM_CLIENT_SECRET: 'secret'
}

t.test('an administrator disconnects the upstream account of a user, who is signed out and emailed; the audit trail has it', async t => {
  const server = await startMailServer(t)
  const { add, as, stores } = await buildAdmin(t, { ...server.env, ...UPSTREAM })
  const rootId = await add('root', 'administrator')
  const id = await add('bob')
  await stores.profiles.change({ id }, { email: 'bob@example.com', emailVerified: true })
  const root = await as('root')
  const disconnect = async () => (await root('POST', `/users/${id}/disconnect`)).json()
  t.same(await disconnect(), { issuer: null }, 'there is nothing to disconnect')
  for (const [issuer, name] of [[ISSUER, 'Example'], ['https://former.example', 'https://former.example']] as const) {
    const before = (await stores.users.find({ id }))!
    await stores.upstreamIdentities.connect(before, { idHash: issuer, issuer })
    t.same(await disconnect(), { issuer })
    t.equal(await stores.upstreamIdentities.holder(issuer), null)
    t.equal((await stores.users.find({ id }))!.epoch, before.epoch + 1, 'all access is revoked')
    t.match(readMail(server.mails.at(-1)!).text, new RegExp(`You can no longer sign in with it.*Provider: ${name}\\..*Your user name is bob`, 's'))
  }
  t.equal(server.mails.length, 2)
  t.equal((await root('POST', '/users/none/disconnect')).statusCode, 404)
  const events = await stores.audit.list({ event: 'user disconnect' }, 5)
  t.equal(events.length, 2)
  t.match(events[1], { userId: id, details: { by: rootId, issuer: ISSUER } })
})

t.test('support and auditors cannot', async t => {
  const { add, as, stores } = await buildAdmin(t)
  const id = await add('bob')
  await stores.upstreamIdentities.connect((await stores.users.find({ id }))!, { idHash: 'bob', issuer: ISSUER })
  for (const role of ['support', 'auditor']) {
    await add(role, role)
    t.equal((await (await as(role))('POST', `/users/${id}/disconnect`)).statusCode, 403)
  }
  t.match(await stores.upstreamIdentities.holder('bob'), { userId: id })
})

t.test('the console shows the account, and disconnects it', async t => {
  const { add, as, stores } = await buildConsole(t)
  await add('root', 'administrator')
  const id = await add('bob')
  const path = `/people/${id}`
  const root = as('root')
  t.notMatch((await root.open(path)).body, 'Disconnect upstream account')
  await stores.upstreamIdentities.connect((await stores.users.find({ id }))!, { idHash: 'bob', issuer: ISSUER })
  t.match((await root.open(path)).body, /https:\/\/upstream\.example, connected.*Disconnect upstream account/s)
  t.equal((await root.send(`${path}/disconnect`, {}, path)).statusCode, 303)
  const { body } = await root.open(path)
  t.match(body, 'Disconnected. The user is signed out everywhere')
  t.notMatch(body, 'Disconnect upstream account')
})

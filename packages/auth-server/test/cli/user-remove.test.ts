import { randomUUID } from 'node:crypto'
import t from 'tap'
import { tablesNaming } from '../support/database.js'
import { client } from '../support/helper.js'
import { onDatabase } from '../support/cli/frontdesk-auth.js'

const PASSWORD = 'correct horse'

t.test('user remove erases everything held about a person, and audit rows keep only the id', async t => {
  const { cli, stores, env: { DATABASE_URL: url } } = await onDatabase(t)
  cli(['user', 'add', 'Žofie'], PASSWORD)
  cli(['user', 'add', 'bob'], PASSWORD)
  await stores.clients.add(client())
  const [zofie, bob] = [(await stores.users.find('žofie'))!, (await stores.users.find('bob'))!]
  for (const user of [zofie, bob]) {
    const now = new Date()
    const [id, expiresAt] = [randomUUID(), new Date(now.getTime() + 60_000)]
    const granted = { clientId: 'app', userId: user.id, scope: 'a', audience: 'api', createdAt: now, expiresAt }
    t.ok(await stores.sessions.add({ idHash: id, user, authTime: now, amr: 'pwd', expiresAt }))
    t.ok(await stores.grants.add({ ...granted, id, nonceHash: id, responseType: 'code', epoch: 0, isSilent: false }))
    await stores.consents.add({ userId: user.id, clientId: 'app', audience: 'api', scope: ['a'], allowedAt: now, nonceHash: id })
    await stores.codes.add({
      ...granted,
      hash: id,
      grantId: id,
      redirectUri: 'https://app.example',
      callbackNamed: true,
      codeChallenge: 'x',
      authTime: now,
      amr: 'pwd'
    })
  }
  await stores.authorizedApps.remove(bob.id, 'app')
  t.match(JSON.parse(cli(['user', 'show', 'Žofie', '--json']).stdout), { id: zofie.id, username: 'Žofie', sessions: 1, clients: ['app'] })
  t.match(cli(['user', 'show', 'bob']).stdout, /^Sessions +1\nClients +none$/m)

  t.strictSame(cli(['user', 'rename', 'ŽOFIE', 'BOB']), {
    code: 1,
    stdout: '',
    stderr: 'The user name "BOB" is taken; upper and lower case make no difference.\n'
  })
  t.equal(cli(['user', 'rename', 'ŽOFIE', 'Sophie']).stdout, 'Renamed "ŽOFIE" to "Sophie".\n')
  t.equal(await stores.users.find('žofie'), null)
  t.match(await stores.users.find('sophie'), { id: zofie.id, username: 'Sophie' })

  t.equal(cli(['user', 'remove', 'sophie']).code, 1, 'asks first')
  t.ok(await stores.users.find('sophie'))
  t.match(
    cli(['user', 'remove', 'sophie', '--yes']).stdout,
    `Removed "Sophie". Access of clients ends within ten seconds. Audit rows keep the id ${zofie.id}.`
  )
  for (const text of ['žofie', 'sophie']) t.same(await tablesNaming(url, text), [], `no row holds ${text}`)
  t.same(await tablesNaming(url, zofie.id), ['audit'])
  t.same(await tablesNaming(url, bob.id), ['access_epoch', 'access_grant', 'audit', 'authorization_code', 'revocation', 'session', 'user_account'])
  const token = { iss: '', aud: '', scope: '', client_id: 'app', jti: 'x', iat: Math.floor(Date.now() / 1_000), exp: 0 }
  t.ok(await stores.revocations.covers({ ...token, sub: zofie.id }), 'access tokens are revoked')
  t.notOk(await stores.revocations.covers({ ...token, client_id: 'other', sub: bob.id }))
})

t.test('client revoke ends what an app holds, and leaves it enabled', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.clients.add(client())
  const token = { iss: '', aud: '', scope: '', sub: 'app', client_id: 'app', jti: 'x', iat: Math.floor(Date.now() / 1_000), exp: 0 }
  t.notOk(await stores.revocations.covers(token))
  t.equal(cli(['client', 'revoke', 'app']).stdout, 'Revoked all tokens of the client "app". Its access ends within ten seconds.\n')
  t.ok(await stores.revocations.covers(token))
  t.equal((await stores.clients.find('app'))?.disabledAt, null)
  const given = await stores.clients.issuable('app')
  t.ok(
    given?.notBefore && !(await stores.revocations.covers({ ...token, iat: given.notBefore.getTime() / 1_000 })),
    'tokens that are issued from then on work'
  )
  t.match(cli(['audit', 'list', '--json']).stdout, '"client revoke"')
})

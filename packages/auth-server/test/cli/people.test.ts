import t from 'tap'
import { client } from '../support/helper.js'
import { onDatabase } from '../support/cli/frontdesk-auth.js'

const person = (username: string, more: object = {}) => ({ id: `id-${username}`, username, passwordHash: '', demo: false, ...more })

t.test('people are found by a part of the user name, a name or the email address, in any case, and listed in pages', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.users.add(person('ann', { name: 'Ann Émile', email: 'a.e@Shop.example' }))
  await stores.users.add(person('Žofie', { familyName: 'Nováková' }))
  for (let number = 0; number < 5; number++) await stores.users.add(person(`clerk-${number}`))
  const found = (...options: string[]) => JSON.parse(cli(['user', 'list', ...options, '--json']).stdout).map(({ username }: { username: string }) => username)
  t.same(found('--search', 'ÉMILE'), ['ann'])
  t.same(found('--search', 'shop.EXAMPLE'), ['ann'])
  t.same(found('--search', 'nováKOVÁ'), ['Žofie'])
  t.same(found('--search', 'ŽOF'), ['Žofie'])
  t.same(found('--search', 'CLERK', '--limit', '2', '--after', 'CLERK-1'), ['clerk-2', 'clerk-3'])
  t.equal(cli(['user', 'list', '--search', '%']).stdout, 'No users were found.\n')
  const page = cli(['user', 'list', '--limit', '2'])
  t.match(page.stdout, /^ID +STATE +USER NAME\nid-ann +enabled +ann\nid-clerk-0 +enabled +clerk-0\n$/)
  t.match(cli(['user', 'list', '--search', 'ann']).stdout, /^ID +STATE +USER NAME +NAME +EMAIL\nid-ann +enabled +ann +Ann Émile +a\.e@Shop\.example\n$/)
  t.equal(page.stderr, 'There are more. To list them: frontdesk-auth user list --after "clerk-0"\n')
  t.match(cli(['user', 'list', '--limit', '10001']), { code: 2, stderr: 'from 1 to 10000' })
})

t.test('a person is signed out everywhere, and loses no more', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.users.add(person('ann'))
  const now = stores.clock.now()
  const user = (await stores.users.find('ann'))!
  await stores.sessions.add({ idHash: 's', user, authTime: now, amr: 'pwd', expiresAt: new Date(now.getTime() + 60_000) })
  t.match(cli(['user', 'sign-out', 'Ann']), { code: 0, stdout: 'Signed out "ann" everywhere. Clients lose access within ten seconds.\n' })
  t.equal(await stores.sessions.find('s', now), null)
  t.equal((await stores.users.find('ann'))?.epoch, 1, 'as "Sign out everywhere" of the account page')
  t.match(await stores.audit.list({ userId: user.id }, 1), [{ event: 'user sign-out', source: 'cli' }])
  t.match(cli(['user', 'sign-out', 'anm']), { code: 1, stderr: 'Did you mean "ann"?' })
})

t.test('the people of an app are listed, and one of them is removed from it', async t => {
  const { cli, stores } = await onDatabase(t)
  for (const id of ['shop', 'other']) await stores.clients.put(client({ id }))
  const [createdAt, expiresAt] = [stores.clock.now(), new Date(Date.now() + 60_000)]
  for (const name of ['ann', 'ben', 'cem']) await stores.users.add(person(name))
  const grant = { scope: 'a', audience: 'api', createdAt, expiresAt, responseType: 'code', epoch: 0, isSilent: false }
  for (const [id, userId, clientId] of [['1', 'id-ann', 'shop'], ['2', 'id-ben', 'shop'], ['3', 'id-cem', 'other'], ['4', 'id-ben', 'other']] as const) {
    await stores.grants.add({ ...grant, id, nonceHash: id, userId, clientId })
  }
  const people = (id: string) => JSON.parse(cli(['client', 'people', id, '--json']).stdout).map(({ username }: { username: string }) => username)
  t.same(people('shop'), ['ann', 'ben'])
  t.match(cli(['user', 'revoke', 'ben', 'shop']), {
    code: 0, stdout: 'Revoked the access of "shop" to the account of "ben". It ends within ten seconds.\n'
  })
  t.match(cli(['user', 'revoke', 'ben', 'shop']), {
    code: 0, stdout: 'There was nothing to revoke: "shop" has no access to the account of "ben".\n'
  })
  t.same(people('shop'), ['ann'])
  t.same(people('other'), ['ben', 'cem'], 'other apps of the person keep their access')
  t.match(await stores.audit.list({ userId: 'id-ben' }, 1), [{ event: 'user revoke', clientId: 'shop' }])
  t.match(cli(['user', 'revoke', 'ben', 'shoop']), { code: 1, stderr: 'No client has the client_id "shoop". Did you mean "shop"?' })
  t.match(cli(['client', 'people', 'shoop']), { code: 1, stderr: 'Did you mean "shop"?' })
  t.match(cli(['client', 'people', 'shop', '--limit', '1', '--search', 'zoe']).stdout, 'No users were found.')
})

import t from 'tap'
import { onDatabase } from '../support/cli/frontdesk-auth.js'

t.test('an app of a file is the app that `client add` makes: with the code grant, and without the implicit grant', async t => {
  const { cli, stores } = await onDatabase(t)
  const callback = 'https://shop.example/cb'
  t.equal(cli(['client', 'add', 'typed', '--name', 'Shop', '--callback', callback]).code, 0)
  const file = JSON.stringify({ clients: [{ clientId: 'written', name: 'Shop', callbacks: [callback] }] })
  t.equal(cli(['apply', '-f', '-'], file).code, 0)
  const [typed, written] = [(await stores.clients.find('typed'))!, (await stores.clients.find('written'))!]
  const same = { id: '', createdAt: null, implicitDeprecatedAt: null }
  t.strictSame({ ...written, ...same }, { ...typed, ...same })
  t.match(written, { implicit: 'off', grantTypes: ['authorization_code'] })
})

t.test('the implicit grant is for apps that name it, in a file and by an option', async t => {
  const { cli, stores } = await onDatabase(t)
  const app = { name: 'Shop', callbacks: ['https://shop.example/cb'] }
  const file = JSON.stringify({ clients: [{ clientId: 'written', ...app, implicit: 'allowed', grantTypes: [] }] })
  t.equal(cli(['apply', '-f', '-'], file).code, 0)
  t.equal(cli(['client', 'add', 'typed', '--name', 'Shop', '--callback', app.callbacks[0]!, '--grant', 'implicit']).code, 0)
  for (const id of ['written', 'typed']) t.match(await stores.clients.find(id), { implicit: 'allowed', grantTypes: [] }, id)
  const listed = JSON.stringify({ clients: [{ clientId: 'listed', ...app, grantTypes: ['implicit'] }] })
  t.match(cli(['apply', '-f', '-'], listed).stderr, 'The implicit grant has a field of its own: implicit: allowed.')
  const exported = cli(['export']).stdout
  t.match(exported, /clientId: typed\n.*?implicit: allowed\n +grantTypes: \[\]\n/s)
  t.match(cli(['apply', '-f', '-', '--diff'], exported).stdout, 'Would be: 0 added, 0 changed, 0 removed, 2 unchanged.')
})

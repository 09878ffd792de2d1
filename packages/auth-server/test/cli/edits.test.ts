import t from 'tap'
import { client } from '../support/helper.js'
import { onDatabase } from '../support/cli/frontdesk-auth.js'

const [OLD, NEW] = ['https://shop.example/old', 'https://shop.example/new']

t.test('single values of the lists of an app are added and removed, and the others stay', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.clients.put(client({
    id: 'shop', callbacks: [OLD], resources: ['urn:a'], defaultScope: 'customer:read', allowedScope: 'customer:read', grantTypes: ['authorization_code'], implicit: 'warn', implicitDeprecatedAt: new Date()
  }))
  const update = (...options: string[]) => cli(['client', 'update', 'shop', ...options])
  t.strictSame(update('--add-callback', NEW), { code: 0, stdout: 'Changed the client "shop".\n', stderr: '' })
  t.same((await stores.clients.find('shop'))?.callbacks, [NEW, OLD])
  t.equal(update(
    '--remove-callback', OLD, '--add-resource', 'urn:b', '--add-grant', 'refresh_token', '--add-allowed-scope', 'customer:write',
    '--add-allowed-scope', 'customer:delete', '--add-default-scope', 'customer:write', '--add-post-logout-redirect-uri', NEW
  ).code, 0)
  t.match(await stores.clients.find('shop'), {
    callbacks: [NEW],
    resources: ['urn:a', 'urn:b'],
    grantTypes: ['authorization_code', 'refresh_token'],
    implicit: 'warn',
    allowedScope: 'customer:read customer:write customer:delete',
    defaultScope: 'customer:read customer:write',
    postLogoutRedirectUris: [NEW]
  })
  t.equal(update('--remove-grant', 'implicit', '--remove-resource', 'urn:a', '--add-callback', NEW).code, 0)
  t.match(await stores.clients.find('shop'), { implicit: 'off', callbacks: [NEW], resources: ['urn:b'] })
})

t.test('a value that is not there, a contradiction, and a result that is not valid are refused, and nothing is changed', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.clients.put(client({ id: 'shop', callbacks: [OLD] }))
  const before = await stores.clients.find('shop')
  const rows: Array<[options: string[], code: number, sentence: string]> = [
    [['--remove-callback', NEW], 1, `There is no callback "${NEW}" to remove. Did you mean "${OLD}"?`],
    [['--remove-callback', OLD], 1, 'A client with this grant needs a callback'],
    [['--add-callback', 'http://shop.example/'], 1, 'The callback must be https'],
    [['--add-grant', 'refresh_token'], 1, 'needs authorization_code'],
    [['--remove-allowed-scope', 'a'], 1, 'The allowed scope is * (any scope). To change it, list the scopes with --allowed-scope.'],
    [['--callback', NEW, '--add-callback', NEW], 2, 'cannot be used with option'],
    [['--no-resource', '--remove-resource', 'urn:a'], 2, 'cannot be used with option']
  ]
  for (const [options, code, stderr] of rows) t.match(cli(['client', 'update', 'shop', ...options]), { code, stdout: '', stderr }, options.join(' '))
  t.same(await stores.clients.find('shop'), before)
})

t.test('single roles of a person, and single scopes of a role, are added and removed', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.users.add({ id: 'ann', username: 'ann', passwordHash: '', demo: false })
  for (const role of ['editor', 'admin']) await stores.roles.add(role, ['customer:write'])
  t.equal(cli(['user', 'update', 'ann', '--add-role', 'editor']).code, 0)
  t.equal(cli(['user', 'update', 'ann', '--add-role', 'admin', '--add-role', 'editor']).code, 0)
  t.same(await stores.roles.of('ann'), ['admin', 'editor'])
  t.equal(cli(['user', 'update', 'ann', '--remove-role', 'editor']).code, 0)
  t.same(await stores.roles.of('ann'), ['admin'])
  t.match(await stores.audit.list({ userId: 'ann' }, 1), [{ event: 'user update', details: { add: [], remove: ['editor'] } }])
  t.match(cli(['user', 'update', 'ann', '--remove-role', 'editor']), { code: 1, stderr: 'There is no role "editor" to remove.' })
  t.match(cli(['user', 'update', 'ann', '--add-role', 'amin']), { code: 1, stderr: 'There is no role "amin". Did you mean "admin"?' })

  t.match(cli(['role', 'change', 'admin', '--add-scope', 'customer:delete']).stdout, 'Changed the role "admin": customer:write customer:delete')
  t.equal(cli(['role', 'change', 'admin', '--remove-scope', 'customer:write']).code, 0)
  t.same((await stores.roles.list()).find(({ name }) => name === 'admin')?.scopes, ['customer:delete'])
  t.match(cli(['role', 'change', 'admin', '--remove-scope', 'customer:delete']), { code: 1, stderr: 'The scopes of a role' })
  t.match(cli(['role', 'change', 'admin']), {
    code: 2, stderr: "name at least one of '--scopes', '--add-scope', '--remove-scope', '--required-acr' and '--no-required-acr'"
  })
})

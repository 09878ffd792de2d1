import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder, onDatabase } from '../support/cli/frontdesk-auth.js'

t.test('a role from its addition to its removal, and what it means for a person', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.users.add({ id: 'person-1', username: 'ann', passwordHash: 'x', demo: false })
  t.match(cli(['role', 'list']), { code: 0, stdout: /^ROLE +USERS +REQUIRED ACR +SCOPES\nadministrator +0 +- +admin:read admin:write\n/ })
  t.match(cli(['role', 'add', 'editor', '--scopes', 'customer:write customer:delete']), { code: 0, stdout: /^Added the role "editor"\. Only users with it/ })
  t.match(cli(['role', 'add', 'editor', '--scopes', 'customer:write']), { code: 1, stderr: 'There is a role "editor" already.' })
  t.match(cli(['user', 'update', 'ann', '--roles', 'editr']), { code: 1, stderr: /no role "editr"\. Did you mean "editor"\?/ })
  t.match(JSON.parse(cli(['user', 'update', 'ann', '--roles', 'editor', '--json']).stdout), { username: 'ann', roles: ['editor'] })
  t.match(cli(['user', 'show', 'ann']).stdout, /^Roles +editor$/m)
  t.match(cli(['role', 'list']).stdout, /\neditor +1 +- +customer:delete customer:write\n$/)
  t.match(cli(['role', 'change', 'editor', '--scopes', 'customer:write']).stdout, 'No role has customer:delete now: everyone can grant it.')
  t.match(cli(['role', 'change', 'reader', '--scopes', 'a']), { code: 1, stderr: 'There is no role "reader".' })
  t.match(cli(['role', 'remove', 'editor']), { code: 1, stderr: 'Add --yes' })
  t.match(JSON.parse(cli(['role', 'remove', 'editor', '--yes', '--json']).stdout), { name: 'editor', scopes: ['customer:write'], people: 1 })
  t.strictSame(await stores.roles.of('person-1'), [])
  t.match((await stores.audit.list({}, 10)).map(({ event }) => event), ['role remove', 'role change', 'user update', 'role add'])
})

t.test('how users with a role must sign in', async t => {
  const { cli, stores } = await onDatabase(t)
  const mfa = 'urn:frontdesk:acr:mfa'
  t.match(cli(['role', 'add', 'editor', '--scopes', 'a', '--required-acr', mfa]).stdout, `Its users need at least the sign-in level ${mfa}.`)
  t.match(cli(['role', 'list']).stdout, /\neditor +0 +urn:frontdesk:acr:mfa +a\n$/)
  t.match(cli(['role', 'change', 'editor', '--add-scope', 'b']).stdout, `Its users need at least the sign-in level ${mfa}.`, 'kept')
  t.match(JSON.parse(cli(['role', 'change', 'editor', '--required-acr', 'phr', '--json']).stdout), { scopes: ['a', 'b'], requiredAcr: 'phr' })
  t.equal(cli(['role', 'change', 'editor', '--no-required-acr']).stdout, 'Changed the role "editor": a b\n')
  t.match(cli(['role', 'change', 'editor', '--required-acr', 'high']), { code: 2, stderr: 'phr' })
  t.match(cli(['role', 'change', 'editor']), { code: 2, stderr: '--required-acr' })
  t.match((await stores.audit.list({ event: 'role change' }, 10)).map(({ details }) => details.requiredAcr), [null, 'phr', undefined])
})

t.test('what a role cannot be called, and what it cannot have', async t => {
  const { cli } = await onDatabase(t)
  for (const [name, scopes, sentence] of [
    ['a b', 'x', 'A role name must have'], ['a', '', 'The scopes of a role must be'], ['a', 'x  y', 'The scopes of a role must be'],
    ['a', 'x openid', 'Scopes of OpenID Connect'], ['a', 'userinfo:email', 'Scopes of OpenID Connect'],
    ['a', Array.from({ length: 51 }, (_, index) => `s${index}`).join(' '), 'A role has at most 50 scopes.']
  ] as const) t.match(cli(['role', 'add', name, '--scopes', scopes]), { code: 1, stderr: sentence })
})

t.test('the scopes that an app may ask for', async t => {
  const { cli, stores } = await onDatabase(t)
  const add = (...options: string[]) => cli(['client', 'add', 'shop', '--name', 'Shop', '--callback', 'https://shop.example/cb', ...options])
  t.match(add('--allowed-scope', 'a b', '--default-scope', 'c'), { code: 1, stderr: 'The default scope has c, which is not in the allowed scope.' })
  t.match(add('--allowed-scope', 'a  b'), { code: 1, stderr: 'The allowed scope must be' })
  t.match(add('--allowed-scope', 'a b', '--default-scope', 'b'), { code: 0 })
  t.match(cli(['client', 'show', 'shop']).stdout, /^Allowed scope +a b$/m)
  t.match(cli(['export']).stdout, 'allowedScope: a b')
  t.match(cli(['client', 'update', 'shop', '--allowed-scope', '*']), { code: 0 })
  t.equal((await stores.clients.find('shop'))?.allowedScope, null)
})

t.test('a file has the roles, too: shown, applied in one go with the apps, exported as it was, and removed with --prune', async t => {
  const { cli, stores } = await onDatabase(t)
  const file = join(folder(t), 'clients.yaml')
  const apply = (text: string, ...more: string[]) => {
    writeFileSync(file, `clients: []\n${text}`)
    return cli(['apply', '-f', file, ...more])
  }
  const roles = 'roles:\n  - name: editor\n    scopes: customer:write customer:delete\n'
  t.match(apply(roles, '--diff').stdout, '+ role editor: customer:delete customer:write\n')
  t.same(await stores.roles.list(), [], 'only shown')
  t.match(JSON.parse(apply(roles, '--json').stdout).roles, { added: [{ name: 'editor', scopes: 'customer:delete customer:write' }], changed: [], removed: [], kept: [] })
  t.strictSame(await stores.roles.list(), [{ name: 'editor', scopes: ['customer:delete', 'customer:write'], requiredAcr: null }])
  t.notMatch(apply(roles).stdout, 'role')
  t.match(cli(['export']).stdout, 'roles:\n  - name: editor\n    scopes: customer:delete customer:write\n')
  t.match(apply('roles:\n  - name: editor\n    scopes: customer:write\n').stdout, '~ role editor: customer:delete customer:write → customer:write')
  const strict = 'roles:\n  - name: editor\n    scopes: customer:write\n    requiredAcr: phr\n'
  t.match(apply(strict).stdout, '~ role editor: customer:write → customer:write (phr)')
  t.match(cli(['export']).stdout, strict)
  t.match(apply(strict.replace(/ *requiredAcr.*\n/, '')).stdout, '~ role editor: customer:write (phr) → customer:write')
  const levels = (await stores.audit.list({ event: 'apply' }, 2)).map(({ details }) => details.requiredAcr)
  t.strictSame(levels, [null, 'phr'], 'a dropped level is recorded')
  t.match(apply(strict.replace('phr', 'high')), { code: 1, stderr: /:5: requiredAcr/ })
  t.notMatch(apply('', '--prune', '--yes').stdout, 'role', 'a file without roles leaves them')
  t.match(apply('roles: []\n').stdout, 'Not in the file, and kept without --prune: role editor.')
  t.match(JSON.parse(apply('roles: []\n', '--json').stdout), { kept: [], roles: { removed: [], kept: ['editor'] } })
  t.match(apply('roles: []\n', '--prune'), { code: 1 }, 'not without --yes')
  t.match(apply('roles: []\n', '--prune', '--yes').stdout, '- role editor')
  t.same(await stores.roles.list(), [])
})

t.test('every error of a role is told with its line', async t => {
  const { cli } = await onDatabase(t)
  const file = join(folder(t), 'clients.yaml')
  writeFileSync(file, 'clients: []\nroles:\n  - name: a b\n    scopes: x\n  - name: c\n    scopes: openid\n  - name: c\n    scopes: x\n')
  const { code, stderr } = cli(['apply', '-f', file])
  t.equal(code, 1)
  t.match(stderr, /:3: A role name must have.*\n.*:5: Scopes of OpenID Connect.*\n.*:7: This role is in the file twice\./)
  writeFileSync(file, 'clients: []\nroles:\n  - name: a\n    scope: x\n')
  t.match(cli(['apply', '-f', file]).stderr, /There is no field "scope"\. Did you mean "scopes"\?/)
})

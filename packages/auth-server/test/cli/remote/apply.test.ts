import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { PNG } from '../../support/admin/clients.js'
import { folder } from '../../support/cli/frontdesk-auth.js'
import { runLoaded } from '../../support/cli/loaded.js'
import { openServer } from '../../support/cli/remote.js'

const { env, issuer, laptop, login, stores } = await openServer(t, { CALLBACK_SCHEMES: 'cursor' })
t.match(await login(), { code: 0 })
const local = (args: readonly string[], input = '') => runLoaded(args, { env, input })
const remote = (args: readonly string[], input = '') => runLoaded([...args, '--server', issuer], { env: laptop, input })
const file = join(folder(t), 'clients.yaml')

/** Makes the clients and roles those of an export. */
function restore (text: string): void {
  const before = join(folder(t), 'before.yaml')
  writeFileSync(before, text)
  t.match(remote(['apply', '-f', before, '--prune', '--yes']), { code: 0, stderr: '' })
}

const FILE = `
clients:
  - clientId: frontdesk-auth
    name: Administration command
    grantTypes: [urn:ietf:params:oauth:grant-type:device_code]
    allowedScope: admin:read admin:write
    defaultScope: admin:read admin:write
  - clientId: shop
    name: Shop
    callbacks: [https://shop.example/b, https://shop.example/a]
    logo: ${PNG}
  - clientId: job
    name: Job
    grantTypes: [client_credentials]
    tokenEndpointAuthMethod: client_secret_basic
roles:
  - {name: clerk, scopes: "customer:write customer:read"}
`

t.test('export has the same text and JSON over the API', async t => {
  await stores.roles.add('clerk', ['a', 'b'], 'urn:frontdesk:acr:mfa')
  for (const more of [[], ['--json'], ['--schema']]) t.same(remote(['export', ...more]), local(['export', ...more]), more.join(' '))
})

t.test('apply shows and does the same over the API', async t => {
  const start = local(['export']).stdout
  for (const text of [FILE, FILE.replace('name: Shop', 'name: Web shop'), FILE.replace(/ {2}- clientId: job[^]*roles/, 'roles')]) {
    writeFileSync(file, text)
    for (const more of [['--diff'], ['--diff', '--json'], ['--diff', '--prune'], ['--yes=5'], ['--prune', '--yes=7']]) {
      const args = ['apply', '-f', file, ...more]
      t.same(remote(args), local(args), args.join(' '))
    }
    const before = local(['export']).stdout
    for (const more of [[], ['--json'], ['--prune', '--yes', '--json']]) {
      const args = ['apply', '-f', file, ...more]
      const there = remote(args)
      const after = local(['export']).stdout
      restore(before)
      t.same(there, local(args), args.join(' '))
      t.equal(local(['export']).stdout, after)
      restore(before)
    }
    t.match(remote(['apply', '-f', file]), { code: 0 })
    t.same(remote(['export']), local(['export']))
  }
  restore(start)
  t.equal(remote(['export']).stdout, start)
})

t.test('errors of a file are the same over the API, and callbacks can have the schemes of the server', async t => {
  for (const text of ['clients: [', 'clients:\n  - clientId: a\n    nmae: A', FILE.replace('shop.example', 'shop example'), FILE.replace('clerk', 'auditor')]) {
    writeFileSync(file, text)
    const found = remote(['apply', '-f', file])
    t.equal(found.code, 1)
    t.same(found, local(['apply', '-f', file]))
  }
  writeFileSync(file, FILE.replace('https://shop.example/b', 'cursor://cb'))
  t.match(local(['apply', '-f', file]), { code: 1, stderr: /cursor/ })
  t.match(remote(['apply', '-f', file, '--diff']), { code: 0 })
})

t.test('reports, test emails and checks over the API', async t => {
  for (const more of [[], ['--json']]) t.same(remote(['report', 'implicit', ...more]), local(['report', 'implicit', ...more]))
  for (const name of ['root', 'nobody-here']) t.same(remote(['mail', 'test', name]), local(['mail', 'test', name]), name)
  const { code, stdout } = remote(['doctor'])
  t.equal(code, 0)
  t.match(stdout, /✓ The database responds\.\n[^]*\nAll is well\.\n$/)
  t.match(JSON.parse(remote(['doctor', '--json']).stdout), { status: 'ok', findings: [{}] })
})

t.test('a password is not set over the API', async t => {
  t.same(remote(['user', 'passwd', 'root'], 'correct horse\n'), {
    code: 1,
    stdout: '',
    stderr: 'Over the API, users choose their own passwords. To let them choose a password: frontdesk-auth user reset-link root\n'
  })
})

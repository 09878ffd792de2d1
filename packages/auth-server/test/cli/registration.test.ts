import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkClients } from '../../src/cli/doctor/clients.js'
import { hashOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { client } from '../support/helper.js'
import { registered } from '../support/oauth/client.js'
import { folder, onDatabase } from '../support/cli/frontdesk-auth.js'

t.test('tokens with which apps register themselves are made, listed and removed', async t => {
  const { cli, stores } = await onDatabase(t)
  t.equal(cli(['registration', 'list']).stdout, 'There are no tokens.\n')
  const [, id = '', token = ''] = /^The token (\w{8}) registers one client until .+Z\. It is shown only now:\n([\w-]{43})\n$/.exec(cli(['registration', 'token']).stdout) ?? []
  const found = await stores.registrationTokens.find(hashOpaqueToken(token), new Date())
  t.match(found, { id, usesLeft: 1, grantTypes: ['authorization_code', 'refresh_token'] })
  t.equal(found!.expiresAt.getTime() - found!.createdAt.getTime(), 7 * 86_400_000)
  const more = cli(['registration', 'token', '--uses', '3', '--days', '1', '--grant', 'client_credentials', '--json'])
  t.match(JSON.parse(more.stdout), { usesLeft: 3, grantTypes: ['client_credentials'], allowedScope: '*' })
  const [own, scope] = [['--grant', 'client_credentials'], ['--allowed-scope', 'customer:read jobs']]
  t.match(cli(['registration', 'token', ...own]).stdout, /\nThe clients get no scopes for themselves \(client_credentials\)\. To allow some: --allowed-scope\n$/)
  const limited = cli(['registration', 'token', ...own, ...scope])
  t.match(limited.stdout, /\n[\w-]{43}\n$/)
  t.match(await stores.registrationTokens.find(hashOpaqueToken(limited.stdout.trim().split('\n')[1]!), new Date()), { allowedScope: 'customer:read jobs' })
  t.match(cli(['registration', 'list']).stdout, /client_credentials\s+customer:read jobs\n/)
  t.match(cli(['registration', 'token', '--allowed-scope', 'a  b']), { code: 1, stderr: /^The allowed scope must be/ })
  t.match(cli(['registration', 'list']).stdout, new RegExp(`${id} +1 +.*authorization_code refresh_token`))
  t.match(cli(['registration', 'remove', id]), { code: 0, stdout: `Removed the token ${id}.\n` })
  t.match(cli(['registration', 'remove', id]), { code: 1, stderr: /^There is no token/ })
  for (const [args, stderr] of [[['--uses', '0'], /from 1 to 10000/], [['--days', '366'], /from 1 to 365/]] as const) {
    t.match(cli(['registration', 'token', ...args]), { code: 2, stderr })
  }
  t.match(cli(['registration', 'token', '--grant', 'password']), { code: 1, stderr: /^A grant must be authorization_code,/ })
})

t.test('apps that registered themselves are marked, adopted, and neither exported nor pruned', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.clients.put(client({ id: 'shop' }))
  for (const id of ['app-1', 'app-2']) await stores.clients.put(client({ id, registeredBy: 'open' }))
  t.match(cli(['client', 'list']).stdout, /app-1 +enabled \(self-registered\) .*\n.*\nshop +enabled /)
  t.match(cli(['client', 'show', 'app-1']).stdout, /Registered +.* by itself, without a token\nLast allowed +never/)
  const exported = cli(['export']).stdout
  t.match(exported, 'clientId: shop')
  t.notMatch(exported, 'app-1')
  const file = join(folder(t), 'clients.yaml')
  writeFileSync(file, `${exported}  - clientId: app-2\n    name: Adopted\n    callbacks: [https://app.example/cb]\n`)
  t.match(cli(['apply', '-f', file, '--prune']).stdout, /^\+ app-2\n1 added, 0 changed, 0 removed, 1 unchanged\./)
  t.match(await stores.clients.find('app-2'), { registeredBy: 'operator', name: 'Adopted' })
  t.match(await stores.clients.find('app-1'), { registeredBy: 'open' })
  t.match(cli(['client', 'adopt', 'app-1']), { code: 0, stdout: /^Adopted the client "app-1"/ })
  t.match(await stores.clients.find('app-1'), { registeredBy: 'operator' })
  t.match(cli(['client', 'adopt', 'app-1']), { code: 1, stderr: /did not register itself/ })
  t.match(await stores.audit.list({ event: 'client adopt' }, 10), [{ clientId: 'app-1' }])
})

t.test('to adopt an app that requests tokens for itself, an operator says which scopes it gets', async t => {
  const { cli, stores } = await onDatabase(t)
  const job = { registeredBy: 'token', grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'client_secret_post', defaultScope: 'admin jobs' } as const
  for (const id of ['app-1', 'app-2', 'app-3']) await stores.clients.put(client({ ...job, id, ...(id === 'app-3' && { allowedScope: 'jobs' }) }))
  t.match(cli(['client', 'adopt', 'app-1']), { code: 1, stderr: /with the default scope "admin jobs" that it chose\. List the scopes .*: --allowed-scope\n$/ })
  t.match(await stores.clients.find('app-1'), { registeredBy: 'token' })
  t.match(cli(['client', 'adopt', 'app-1', '--allowed-scope', 'jobs customer:read']), { code: 0 })
  t.match(await stores.clients.find('app-1'), { registeredBy: 'operator', allowedScope: 'jobs customer:read', defaultScope: 'jobs' })
  t.match(cli(['client', 'adopt', 'app-2', '--allowed-scope', '*']), { code: 0 })
  t.match(await stores.clients.find('app-2'), { registeredBy: 'operator', allowedScope: null, defaultScope: 'admin jobs' })
  t.match(cli(['client', 'adopt', 'app-3']), { code: 0 })
  t.match(await stores.clients.find('app-3'), { registeredBy: 'operator', allowedScope: 'jobs' })
})

t.test('doctor finds no fault with apps that registered themselves', async t => {
  const app = registered({ callbacks: ['http://127.0.0.1/cb'] })
  const judge = (registeredBy: typeof app.registeredBy) =>
    [...checkClients([{ ...app, registeredBy }], { production: true, callbackSchemes: [] }, new Date())].map(({ state }) => state)
  t.same(judge('operator'), ['warning'])
  t.same(judge('open'), ['ok'])
})

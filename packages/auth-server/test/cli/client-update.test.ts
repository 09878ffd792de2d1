import t from 'tap'
import { hashOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { client } from '../support/helper.js'
import { onDatabase } from '../support/cli/frontdesk-auth.js'

const CALLBACK = 'https://shop.example/callback'

t.test('a sign-in role that does not exist is a warning', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.roles.add('staff', ['shop:use'])
  const warning = '\nWarning: The role stuff does not exist, so no users have it.\n'
  const roles = ['--sign-in-role', 'staff', '--sign-in-role', 'auditor']
  const add = (id: string, ...more: string[]) =>
    cli(['client', 'add', id, '--name', id, '--callback', CALLBACK, '--for', 'openid-client', ...roles, ...more])
  t.notMatch(add('known').stdout, 'Warning')
  t.match(add('shop', '--sign-in-role', 'stuff').stdout, `Registered the client "shop".${warning}`)
  t.equal(cli(['client', 'update', 'shop', '--name', 'Shop']).stdout, `Changed the client "shop".${warning}`)
  t.equal(cli(['client', 'update', 'shop', '--remove-sign-in-role', 'stuff']).stdout, 'Changed the client "shop".\n')
})

t.test('an app is changed in what is named, and keeps the rest', async t => {
  const { cli, stores } = await onDatabase(t)
  const shop = client({
    id: 'shop',
    callbacks: [CALLBACK],
    resources: ['https://api.example'],
    defaultScope: 'customer:read',
    grantTypes: ['authorization_code'],
    implicit: 'off'
  })
  await stores.clients.put(shop)
  const change = (...options: string[]) => cli(['client', 'update', 'shop', ...options])
  const { id, ...before } = shop

  t.strictSame(
    change('--name', 'New shop', '--callback', CALLBACK, '--callback', 'http://127.0.0.1/cb', '--native', '--access-token-ttl', '60'),
    { code: 0, stdout: 'Changed the client "shop".\n', stderr: '' }
  )
  const named = { name: 'New shop', callbacks: ['http://127.0.0.1/cb', CALLBACK], native: true, accessTokenTtl: 60 }
  t.match(await stores.clients.find('shop'), { ...before, ...named })
  t.match(await stores.audit.list({ clientId: 'shop' }, 1), [
    { event: 'client update', details: { fields: ['name', 'callbacks', 'accessTokenTtl', 'native'] } }
  ])

  const json = JSON.parse(
    change(
      '--confidential',
      '--no-native',
      '--no-resource',
      '--grant',
      'authorization_code',
      '--grant',
      'refresh_token',
      '--grant',
      'implicit',
      '--json'
    ).stdout
  )
  t.match(json, {
    name: 'New shop',
    native: false,
    own: false,
    resources: [],
    grantTypes: ['authorization_code', 'refresh_token'],
    implicit: 'allowed',
    tokenEndpointAuthMethod: 'client_secret_basic'
  })
  t.equal(await stores.clientSecrets.has('shop', hashOpaqueToken(json.secret)), true)
  change('--auth-method', 'none', '--no-access-token-ttl', '--implicit', 'until 2030-01-31')
  t.match(await stores.clients.find('shop'), {
    name: 'New shop',
    tokenEndpointAuthMethod: 'none',
    accessTokenTtl: null,
    grantTypes: ['authorization_code', 'refresh_token'],
    implicit: 'until',
    implicitUntil: new Date('2030-01-31')
  })
  t.same(await stores.clientSecrets.list('shop'), [], 'a secret that is not used any more does not come back')
})

t.test('a change that may not be is refused with all that is wrong, and nothing is changed', async t => {
  const { cli, stores } = await onDatabase(t)
  await stores.clients.put(client({ id: 'shop' }))
  await stores.clients.put(client({ id: 'job', callbacks: [], implicit: 'off' }))
  const before = await stores.clients.list()
  const rows: Array<[args: string[], sentence: RegExp]> = [
    [
      ['shop', '--name', '', '--callback', 'http://a.example/', '--access-token-ttl', '1', '--grant', 'refresh_token'],
      /^The name is empty\.\n.*must be https.*\n.*needs authorization_code.*\n.*lifetime/
    ],
    [['job', '--grant', 'authorization_code'], /^A client with this grant needs a callback\. Add one: --callback <uri>\n$/],
    [['ghost', '--name', 'X'], /^No client has the client_id "ghost"\./]
  ]
  for (const [args, stderr] of rows) t.match(cli(['client', 'update', ...args]), { code: 1, stdout: '', stderr }, args.join(' '))
  t.same(await stores.clients.list(), before)
})

t.test('an app that is left without a grant is named, with the command that gives it one', async t => {
  const { cli, stores } = await onDatabase(t)
  const none = (answer: string) =>
    `${answer}\nThe client "web" has no usable grant. To add the code grant: frontdesk-auth client update web --grant authorization_code\n`
  t.equal(
    cli(['client', 'add', 'web', '--name', 'Web', '--callback', 'https://web.example/cb', '--grant', 'implicit', '--no-implicit']).stdout,
    none('Registered the client "web".')
  )
  t.equal(cli(['client', 'update', 'web', '--name', 'Web shop']).stdout, none('Changed the client "web".'))
  t.match(cli(['client', 'update', 'web', '--grant', 'authorization_code']), { code: 0, stdout: 'Changed the client "web".\n' })
  t.same((await stores.clients.find('web'))?.grantTypes, ['authorization_code'])
  t.equal(cli(['client', 'update', 'web', '--grant', 'implicit']).stdout, 'Changed the client "web".\n')
  t.equal(cli(['client', 'implicit', 'web', 'off']).stdout, none('The implicit grant of "web": off.'))
})

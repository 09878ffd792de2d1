import { exportJWK, generateKeyPair } from 'jose'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { defaults } from '../../src/admin/client-entry.js'
import { findEntryFaults } from '../../src/admin/entry-faults.js'
import { readJwks } from '../../src/cli/client/files.js'
import { toChange, type Given } from '../../src/cli/client/options.js'
import { hashOpaqueToken } from '../../src/sign-in/opaque-token.js'
import { DEVICE_CODE } from '../support/device-flow.js'
import { folder, onDatabase } from '../support/cli/frontdesk-auth.js'

const add = (id: string, ...more: string[]) => ['client', 'add', id, '--name', 'Web shop', ...more]
const CALLBACK = ['--callback', 'https://shop.example/callback']

t.test('an app for the code grant, without a secret unless it is confidential', async t => {
  const { cli, stores } = await onDatabase(t)
  t.match(
    cli(add('web', ...CALLBACK, '--grant', 'authorization_code', '--grant', 'refresh_token')).stdout,
    /^Registered the client "web"\.\n\nNext: /
  )
  t.match(await stores.clients.find('web'), {
    implicit: 'off',
    grantTypes: ['authorization_code', 'refresh_token'],
    tokenEndpointAuthMethod: 'none',
    jwks: null,
    native: false,
    own: false
  })
  cli(add('both', ...CALLBACK, '--grant', 'authorization_code', '--grant', 'implicit', '--native'))
  t.match(cli(['client', 'show', 'both']).stdout, /^Grant types +authorization_code implicit$/m)
  t.match(cli(['client', 'show', 'both']).stdout, /^Token lifetime +server default$/m)
  t.match(await stores.clients.find('both'), { implicit: 'allowed', grantTypes: ['authorization_code'], native: true })

  const { stdout } = cli(add('shop', ...CALLBACK, '--grant', 'authorization_code', '--confidential'))
  const [, secret = ''] = /^Registered the client "shop"\.\nIts secret, shown only now: ([\w-]{43})\n\nNext: /.exec(stdout) ?? []
  t.equal((await stores.clients.find('shop'))?.tokenEndpointAuthMethod, 'client_secret_basic')
  t.equal(await stores.clientSecrets.has('shop', hashOpaqueToken(secret)), true)
  t.equal((await stores.clientSecrets.list('shop'))[0]?.hash, hashOpaqueToken(secret), 'only its hash is kept')
  t.match(cli(['client', 'show', 'shop']).stdout, /^Grant types +authorization_code$/m)

  const json = JSON.parse(cli(add('job', '--grant', 'client_credentials', '--auth-method', 'client_secret_post', '--json')).stdout)
  t.match(json, { clientId: 'job', callbacks: [], tokenEndpointAuthMethod: 'client_secret_post', secret: /^[\w-]{43}$/ })
})

t.test('a secret is changed without a gap: a second is added, then the first removed', async t => {
  const { cli, stores } = await onDatabase(t)
  cli(add('shop', ...CALLBACK, '--grant', 'authorization_code', '--confidential'))
  const [, secret = ''] = /^Secret 2 of "shop", shown only now: ([\w-]{43})\n$/.exec(cli(['client', 'secret', 'add', 'shop']).stdout) ?? []
  t.equal(await stores.clientSecrets.has('shop', hashOpaqueToken(secret)), true)
  t.match(cli(['client', 'secret', 'add', 'shop']), { code: 1, stderr: /^The client "shop" already has two secrets. Remove one: frontdesk-auth client secret remove shop <slot>$/m })
  t.match(cli(['client', 'secret', 'list', 'shop']).stdout, /^SLOT {2}CREATED\n1 {5}20\S+Z\n2 {5}20\S+Z\n$/)
  t.equal(cli(['client', 'secret', 'remove', 'shop', '1']).stdout, 'Removed the secret 1 of "shop".\n')
  t.same((await stores.clientSecrets.list('shop')).map(({ slot }) => slot), [2])
  t.same(
    (await stores.audit.list({ clientId: 'shop' }, 3)).map(({ event }) => event),
    ['client secret remove', 'client secret add', 'client add']
  )
  t.equal(cli(['client', 'secret', 'remove', 'shop', '2']).stdout, [
    'Removed the secret 2 of "shop".',
    'It has no secret now, so it cannot authenticate. To add one: frontdesk-auth client secret add shop',
    ''
  ].join('\n'))
  for (const [args, sentence] of [
    [['remove', 'shop', 'x'], 'The client "shop" has no secret "x"'], [['add', 'ghost'], 'No client has the client_id "ghost".']
  ] as const) t.match(cli(['client', 'secret', ...args]), { code: 1, stderr: new RegExp(`^${sentence}`) })
  cli(add('web', ...CALLBACK))
  t.match(cli(['client', 'secret', 'add', 'web']).stderr, 'The client "web" authenticates with none: it has no secret.')
  t.match(cli(['client', 'secret', 'list', 'web']).stdout, 'The client has no secrets.')
})

t.test('an app that signs with its own key is registered with the public half of it', async t => {
  const { cli, stores } = await onDatabase(t)
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const directory = folder(t)
  const file = (name: string, content: unknown) => {
    writeFileSync(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content))
    return join(directory, name)
  }
  const key = await exportJWK(publicKey)
  const good = file('good.json', { keys: [key], more: 1 })
  t.equal(cli(add('signer', '--grant', 'client_credentials', '--jwks', good)).code, 0)
  t.match(await stores.clients.find('signer'), { tokenEndpointAuthMethod: 'private_key_jwt', jwks: JSON.stringify({ keys: [key] }) })
  for (const [name, content] of Object.entries({
    private: { keys: [await exportJWK(privateKey)] },
    secret: { keys: [{ kty: 'oct', k: 'AA' }] },
    none: { keys: [] },
    other: [1],
    broken: '{'
  })) {
    t.throws(() => readJwks(file(`${name}.json`, content)), /must be a JWK Set of public keys|cannot be read/, name)
  }
  t.match(cli(add('away', '--grant', 'client_credentials', '--jwks', join(directory, 'away.json'))), { code: 1, stderr: /cannot be read/ })
})

t.test('what does not go together is said, and nothing is registered', async t => {
  const { cli, stores } = await onDatabase(t)
  const before = { ...defaults, clientId: 'app', name: 'App' }
  const rows: Array<[options: Given, sentence: RegExp]> = [
    [{ grant: ['password'] }, /^A grant must be implicit, authorization_code, refresh_token, .* or urn:[^ ]*\.$/],
    [{ grant: ['refresh_token'] }, /refresh_token needs authorization_code/],
    [{ grant: ['client_credentials'] }, /client_credentials needs a client that can authenticate/],
    [
      { authMethod: 'tls_client_auth' },
      /^The authentication method must be none, client_secret_basic, client_secret_post or private_key_jwt\.$/
    ],
    [{ authMethod: 'private_key_jwt' }, /private_key_jwt needs a JWK Set/]
  ]
  for (const [options, sentence] of rows) t.match(findEntryFaults(toChange(options, before), []), [{ sentence }])
  t.match(cli(add('bad', ...CALLBACK, '--grant', 'refresh_token', '--auth-method', 'x')), {
    code: 1,
    stderr: /needs authorization_code.*\nThe authentication method|authentication method.*\nThe grant/
  })
  t.match(cli(add('bad', '--grant', DEVICE_CODE, '--grant', 'authorization_code')), {
    code: 2, stderr: /required option '--callback <uri>' not specified/
  })
  t.match(cli(add('bad', '--grant', 'authorization_code')), { code: 2, stderr: /required option '--callback <uri>' not specified/ })
  t.same(await stores.clients.list(), [])
})

t.test('a public app on a device needs no callback, and may have refresh tokens', async t => {
  const { cli, stores } = await onDatabase(t)
  t.equal(cli(add('tv', '--grant', DEVICE_CODE, '--grant', 'refresh_token')).code, 0)
  t.match(await stores.clients.find('tv'), { grantTypes: [DEVICE_CODE, 'refresh_token'], callbacks: [], implicit: 'off' })
  t.equal(cli(add('shop', ...CALLBACK)).code, 0)
  t.equal(cli(['client', 'update', 'shop', '--grant', DEVICE_CODE]).code, 0)
  t.match(cli(['client', 'show', 'shop']).stdout, `Grant types     ${DEVICE_CODE}`)
  const file = cli(['export']).stdout
  t.match(file, `- ${DEVICE_CODE}`)
  t.equal(cli(['client', 'remove', 'tv', '--yes']).code, 0)
  t.equal(cli(['apply', '-f', '-'], file).code, 0)
  t.match(await stores.clients.find('tv'), { grantTypes: ['refresh_token', DEVICE_CODE] })
})

t.test('PKCE is optional for an app that authenticates, with a warning, and what lists apps shows who leaves it out', async t => {
  const { cli, stores } = await onDatabase(t)
  t.match(cli(add('web', ...CALLBACK, '--pkce', 'optional')), { code: 1, stderr: /^PKCE is optional only for a client that authenticates/ })
  t.match(cli(add('shop', ...CALLBACK, '--pkce', 'off')), { code: 2, stderr: /Allowed choices are required, optional/ })
  t.match(
    cli(add('shop', ...CALLBACK, '--confidential', '--pkce', 'optional')).stdout,
    /^Registered the client "shop"\.\nWarning: without PKCE, /
  )
  t.match(await stores.clients.find('shop'), { pkce: 'optional', withoutPkceAt: null })
  t.match(cli(['client', 'show', 'shop']).stdout, /^PKCE +optional, never omitted$/m)
  t.match(cli(['client', 'list']).stdout, /^CLIENT ID {2}PKCE\nshop {7}optional, never omitted$/m)
  t.match(JSON.parse(cli(['client', 'list', '--json']).stdout), [{ clientId: 'shop', pkce: 'optional' }])
  t.match(cli(['client', 'update', 'shop', '--auth-method', 'none']), { code: 1, stderr: /^PKCE is optional only/ })
  t.match(cli(['client', 'update', 'shop', '--name', 'The shop']).stdout, /Warning: without PKCE/)

  const exported = cli(['export']).stdout
  t.match(exported, /pkce: optional/)
  t.match(cli(['apply', '-f', '-'], exported).stdout, /1 unchanged\.\nThe client "shop": Warning: without PKCE/)
  t.match(cli(['apply', '-f', '-'], exported.replace('client_secret_basic', 'none')), { code: 1, stderr: /PKCE is optional only/ })
  t.equal(cli(['client', 'update', 'shop', '--pkce', 'required']).stdout, 'Changed the client "shop".\n')
  t.match(await stores.clients.find('shop'), { pkce: 'required' })
  t.notMatch(cli(['client', 'list']).stdout, 'PKCE')
})

t.test('a file of apps holds their grants and public keys, and gives them back as they were', async t => {
  const { cli, stores } = await onDatabase(t)
  const key = await exportJWK((await generateKeyPair('ES256')).publicKey)
  const directory = folder(t)
  const apply = (entry: object) => {
    writeFileSync(join(directory, 'apps.json'), JSON.stringify({ clients: [{ clientId: 'shop', name: 'Shop', ...entry }] }))
    return cli(['apply', '-f', join(directory, 'apps.json')])
  }
  const entry = {
    callbacks: ['http://127.0.0.1/cb'],
    implicit: 'off',
    grantTypes: ['refresh_token', 'authorization_code'],
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: { keys: [key] },
    native: true
  }
  t.match(apply(entry), { code: 0, stdout: '1 added, 0 changed, 0 removed, 0 unchanged.\n' })
  t.match(await stores.clients.find('shop'), {
    grantTypes: ['authorization_code', 'refresh_token'],
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: JSON.stringify({ keys: [key] }),
    native: true
  })
  t.equal(cli(['apply', '-f', '-'], cli(['export']).stdout).stdout, '0 added, 0 changed, 0 removed, 1 unchanged.\n')
  for (const wrong of [{ grantTypes: ['password'] }, { jwks: { keys: [{ ...key, d: 'AA' }] } }]) {
    t.equal(apply({ ...entry, ...wrong }).code, 1, JSON.stringify(wrong).slice(0, 40))
  }
})

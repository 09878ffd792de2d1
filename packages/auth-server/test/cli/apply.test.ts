import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readClients } from '../../src/cli/apply/read-clients.js'
import { folder, onDatabase, run } from '../support/cli/frontdesk-auth.js'

const FILE = `
clients:
  - clientId: shop-web
    name: Web shop
    callbacks: [https://shop.example/b, https://shop.example/a]
    defaultScope: customer:read
    implicit: until 2030-01-31
  - clientId: shop-app
    name: "Shop's app"
    callbacks:
      - com.example.shop:/cb
    resources: [urn:example:stock]
    accessTokenTtl: 300
    disabled: true
`

async function setUp (t: Parameters<typeof folder>[0]) {
  const { cli, stores } = await onDatabase(t)
  const file = join(folder(t), 'clients.yaml')
  const apply = (text: string, ...more: string[]) => {
    writeFileSync(file, text)
    return cli(['apply', '-f', file, ...more])
  }
  return { cli, stores, apply, file }
}

t.test('a file of apps is shown, applied, applied again without a change, and exported as it was', async t => {
  const { cli, stores, apply } = await setUp(t)
  t.strictSame(apply(FILE, '--diff'), { code: 0, stdout: '+ shop-web\n+ shop-app\nWould be: 2 added, 0 changed, 0 removed, 0 unchanged.\n', stderr: '' })
  t.same(await stores.clients.list(), [], 'only shown')
  t.match(apply(FILE), { code: 0, stdout: '2 added, 0 changed, 0 removed, 0 unchanged.\n' })
  const [app, web] = await stores.clients.list()
  t.match(web, { id: 'shop-web', name: 'Web shop', callbacks: ['https://shop.example/a', 'https://shop.example/b'], defaultScope: 'customer:read', accessTokenTtl: null, implicit: 'until', implicitUntil: new Date('2030-01-31'), disabledAt: null, demo: false })
  t.match(app, { id: 'shop-app', name: "Shop's app", callbacks: ['com.example.shop:/cb'], resources: ['urn:example:stock'], accessTokenTtl: 300, implicit: 'off', grantTypes: ['authorization_code'] })
  t.ok(app?.disabledAt)

  t.equal(apply(FILE).stdout, '0 added, 0 changed, 0 removed, 2 unchanged.\n')
  t.same(await stores.clients.list(), [app, web], 'nothing was touched')
  const exported = cli(['export']).stdout
  t.equal(apply(exported, '--prune').stdout, '0 added, 0 changed, 0 removed, 2 unchanged.\n')
  t.equal(cli(['apply', '-f', '-', '--diff'], cli(['export', '--json']).stdout).stdout, 'Would be: 0 added, 0 changed, 0 removed, 2 unchanged.\n')
  t.notMatch(exported, /null|\[\]|disabled: false/, 'what need not be said is not')
})

t.test('what changes is shown field by field, and the times of before are kept', async t => {
  const { stores, apply } = await setUp(t)
  apply(FILE)
  const [before, web] = await stores.clients.list()
  const changed = FILE.replace('Web shop', 'Shop \u202E').replace('until 2030-01-31', 'warn').replace('accessTokenTtl: 300', 'accessTokenTtl: 60')
  t.equal(apply(changed.replace('Shop \u202E', 'Shop'), '--diff').stdout, [
    '~ shop-web',
    '    name: "Web shop" → "Shop"',
    '    implicit: "until 2030-01-31" → "warn"',
    '~ shop-app',
    '    accessTokenTtl: 300 → 60',
    'Would be: 0 added, 2 changed, 0 removed, 0 unchanged.',
    ''
  ].join('\n'))
  t.match(apply(changed), { code: 1, stderr: 'The name contains a control character.' })
  t.equal(apply(changed.replace('Shop \u202E', 'Shop')).code, 0)
  const [app, shop] = await stores.clients.list()
  t.same([app?.disabledAt, app?.createdAt, shop?.createdAt], [before?.disabledAt, before?.createdAt, web?.createdAt])
  t.match(shop, { name: 'Shop', implicit: 'warn', implicitDeprecatedAt: web?.implicitDeprecatedAt })
  t.match(JSON.parse(apply(FILE, '--json').stdout), { added: [], changed: [{ clientId: 'shop-web', fields: { name: { from: 'Shop', to: 'Web shop' } } }, { clientId: 'shop-app' }], removed: [], applied: true })
})

t.test('apps that are not in the file stay, and go with --prune', async t => {
  const { cli, stores, apply } = await setUp(t)
  cli(['client', 'add', 'old', '--name', 'Old', '--callback', 'https://old.example/cb'])
  t.match(apply(FILE).stdout, 'Not in the file, and kept without --prune: old.\n')
  t.equal(apply(FILE, '--prune', '--diff').stdout, '- old\nWould be: 0 added, 0 changed, 1 removed, 2 unchanged.\n')
  t.ok(await stores.clients.find('old'))
  t.strictSame(apply(FILE, '--prune'), { code: 1, stdout: '', stderr: 'There is no terminal to confirm at. Add --yes if you are sure.\n' })
  t.strictSame(apply(FILE, '--prune', '--yes=2'), { code: 1, stdout: '', stderr: '--yes=2 was given, but 1 would be removed. Nothing was changed.\n' })
  t.match(apply(FILE, '--prune', '--yes=all'), { code: 2, stdout: '', stderr: 'as in --yes=3.' })
  t.ok(await stores.clients.find('old'))
  t.equal(apply(FILE, '--prune', '--yes').code, 0)
  t.equal(await stores.clients.find('old'), null)
  t.equal(apply(FILE, '--prune').code, 0, 'nothing to remove')
  t.same((await stores.audit.list({ event: 'apply' }, 10)).map(({ clientId, details }) => [clientId, details.change]), [['old', 'removed'], ['shop-app', 'added'], ['shop-web', 'added']])
})

t.test('every app is removed only with the number of them', async t => {
  const { stores, apply } = await setUp(t)
  apply(FILE)
  for (const empty of ['clients: []', 'clients: [{ clientId: new, name: New, implicit: off }]']) {
    for (const yes of [[], ['--yes'], ['--yes=1'], ['--yes=3']]) {
      const { code, stdout, stderr } = apply(empty, '--prune', ...yes)
      t.strictSame({ code, stdout }, { code: 1, stdout: '' }, `${empty} ${yes.join()}`)
      t.match(stderr, yes[0]?.includes('=') ? 'but 2 would be removed. Nothing was changed.' : 'This would remove every registered client (2). If that is what you want, pass the number: --yes=2')
    }
  }
  t.equal((await stores.clients.list()).length, 2)
  t.match(apply('clients: []', '--prune', '--yes=2'), { code: 0, stdout: '- shop-app\n- shop-web\n0 added, 0 changed, 2 removed, 0 unchanged.\n' })
  t.same(await stores.clients.list(), [])
})

t.test('an app that has no secret yet is named, until it has one', async t => {
  const { cli, apply } = await setUp(t)
  const file = 'clients: [{ clientId: job, name: Job, implicit: off, grantTypes: [client_credentials], tokenEndpointAuthMethod: client_secret_basic }]'
  const sentence = 'The client "job" has no secret yet. To make one: frontdesk-auth client secret add job\n'
  t.equal(apply(file, '--diff').stdout, `+ job\nWould be: 1 added, 0 changed, 0 removed, 0 unchanged.\n${sentence}`)
  t.equal(apply(file).stdout, `+ job\n1 added, 0 changed, 0 removed, 0 unchanged.\n${sentence}`)
  t.equal(apply(file).stdout, `0 added, 0 changed, 0 removed, 1 unchanged.\n${sentence}`)
  t.same(JSON.parse(apply(file, '--json').stdout).withoutSecret, ['job'])
  cli(['client', 'secret', 'add', 'job'])
  t.equal(apply(file).stdout, '0 added, 0 changed, 0 removed, 1 unchanged.\n')
})

t.test('a file with anything wrong changes nothing, and all that is wrong is said', async t => {
  const { cli, stores, apply, file } = await setUp(t)
  // FILE ends with line 14.
  const wrong: Array<[text: string, said: string[]]> = [
    [FILE + '  - clientId: x y\n    name: ""\n    callbacks:\n      - https://a.example/\n      - "http://a.example/"\n    implicit: until 2030-02-31\n', [
      `${file}:15: "x y": The client_id must be`, `${file}:16: "x y": The name is empty.`, `${file}:19: "x y": "http://a.example/": The callback must be https`, `${file}:20: "x y": implicit: Use allowed, warn, off, or until`]],
    [FILE + '  - clientId: shop-web\n    name: Twin\n', [`${file}:15: "shop-web": This client_id is in the file twice.`]],
    [FILE + '  - clientId: other\n    name: Other\n    calbacks: []\n    disabled: maybe\n', [`${file}:17: "other": There is no field "calbacks". Did you mean "callbacks"?`, `${file}:18: "other": disabled: Expected boolean.`]],
    [FILE + '  - clientId: x y\n    colour: red\n    grantTypes: 1\n    tokenEndpointAuthMethod: private_key_jwt\n  - name: Nameless\n',
      [`${file}:15: "x y": name is missing.`, `${file}:15: "x y": The client_id must be`, `${file}:16: "x y": There is no field "colour".`, `${file}:17: "x y": grantTypes: Expected kind 'list of distinct strings'.`, `${file}:19: clientId is missing.`]],
    [FILE + '  - clientId: job\n    name: Job\n    tokenEndpointAuthMethod: client_secret_basik\n    grantTypes: [authorisation_code]\n',
      [`${file}:17: "job": The authentication method must be`, 'Did you mean "client_secret_basic"?', `${file}:18: "job": A grant must be`, 'Did you mean "authorization_code"?']],
    ['{\n  "clients": [\n    { "clientId": "a", "name": "A" },\n    { "clientId": "b",\n      "nam": "B" }\n  ]\n}', [`${file}:5: "b": There is no field "nam". Did you mean "name"?`, `${file}:4: "b": name is missing.`]],
    ['{\n  "clients": [],,\n}', [`${file}:2: This is not YAML. Unexpected ,`]],
    [FILE + '  - clientId: bank\n    name: Bank\n    profile: fapi2\n    callbacks: [https://bank.example/cb]\n    grantTypes: [authorization_code]\n    tokenEndpointAuthMethod: private_key_jwt\n    jwks: { keys: [{ kty: OKP, crv: Ed25519, x: x }] }\n    dpopBoundAccessTokens: true\n    idTokenSignedResponseAlg: ES256\n    requirePushedAuthorizationRequests: "yes"\n',
      [`${file}:24: "bank": requirePushedAuthorizationRequests: Expected boolean.`]],
    [FILE + '  - clientId: pair\n    name: Pair\n    subjectType: pairwise\n    callbacks: https://pair.example/cb\n', [`${file}:18: "pair": callbacks: Expected kind 'list of distinct strings'.`]],
    [FILE + '  - clientId: twice\n    name: Twice\n    callbacks: [https://a.example/cb, https://a.example/cb]\n', [`${file}:17: "twice": callbacks: Expected kind 'list of distinct strings'.`]],
    ['client: []', [`${file}:1: There is no field "client". Did you mean "clients"?`]],
    ['clients: [', [`${file}:1: This is not YAML.`]],
    [['a: &a [x,x,x,x,x,x]', 'b: &b [*a,*a,*a,*a,*a,*a]', 'c: &c [*b,*b,*b,*b,*b,*b]', 'clients: [*c,*c,*c]'].join('\n'), ['cannot be read: Excessive alias count']],
    ['- a', ['The file: Expected object.']],
    ['', ['The file: Expected object.']]
  ]
  for (const [text, said] of wrong) {
    writeFileSync(file, text)
    for (const words of said) await t.rejects(readClients(file, []), new RegExp(words.replace(/[.*()?[\]]/g, '\\$&')))
  }
  for (const [text, said] of [wrong[0]!, wrong[3]!, wrong[6]!, wrong[7]!]) {
    const { code, stdout, stderr } = apply(text)
    t.strictSame({ code, stdout, lines: stderr.trimEnd().split('\n').length }, { code: 1, stdout: '', lines: said.length }, stderr)
  }
  t.match(cli(['apply', '-f', '-'], 'clients: ['), { code: 1, stderr: /^Standard input, line 1: This is not YAML\. / })
  t.same(await stores.clients.list(), [])
  await t.rejects(readClients('/nowhere/clients.yaml', []), /^\/nowhere\/clients.yaml cannot be read/)
})

t.test('grants and the way to authenticate go through a file; secrets do not, and stay', async t => {
  const { cli, stores, apply } = await setUp(t)
  const { secret } = JSON.parse(cli(['client', 'add', 'job', '--name', 'Job', '--grant', 'client_credentials', '--confidential', '--json']).stdout)
  const file = cli(['export']).stdout
  t.match(file, /grantTypes:\n +- client_credentials\n +tokenEndpointAuthMethod: client_secret_basic\n/)
  t.notOk(file.includes(secret))
  t.equal(apply(file.replace('name: Job', 'name: Night job')).stdout, '~ job\n    name: "Job" → "Night job"\n0 added, 1 changed, 0 removed, 0 unchanged.\n')
  t.match(await stores.clients.find('job'), { name: 'Night job', grantTypes: ['client_credentials'], implicit: 'off' })
  t.equal((await stores.clientSecrets.list('job')).length, 1)
  t.match(apply(file.replace('client_secret_basic', 'none')).stderr, '"job": ')
})

t.test('the committed JSON Schema is that of the program', async t => {
  const committed = readFileSync(new URL('../../../clients.schema.json', import.meta.url), 'utf8')
  t.equal(run(['export', '--schema']).stdout, committed, 'npx --no frontdesk-auth export --schema > packages/auth-server/clients.schema.json')
})

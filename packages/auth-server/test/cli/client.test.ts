import t from 'tap'
import { onDatabase } from '../support/cli/frontdesk-auth.js'

const CALLBACK = 'https://shop.example/callback'
const add = (id: string, ...more: string[]) => ['client', 'add', id, '--name', 'Web shop', '--callback', CALLBACK, ...more]

t.test('an app from its registration to its removal, while a server has the database open', async t => {
  const { cli, stores } = await onDatabase(t)
  t.strictSame(cli(['client', 'list']), { code: 0, stdout: 'No clients are registered.\n', stderr: '' })

  t.match(cli(add('shop-web')), { code: 0, stdout: /^Registered the client "shop-web"\.\n\nNext: open this address/, stderr: '' })
  const plain = await stores.clients.find('shop-web')
  t.match(plain, { name: 'Web shop', callbacks: [CALLBACK], resources: [], defaultScope: '', accessTokenTtl: null, implicit: 'off', grantTypes: ['authorization_code'], demo: false, disabledAt: null })

  const full = cli(add('shop-app', '--callback', 'com.example.shop:/cb', '--callback', CALLBACK, '--default-scope', 'customer:read customer:write',
    '--resource', 'https://api.example', '--resource', 'urn:example:stock', '--access-token-ttl', '300', '--json'))
  t.equal(full.code, 0)
  const fields = {
    clientId: 'shop-app',
    name: 'Web shop',
    logo: null,
    callbacks: ['com.example.shop:/cb', CALLBACK],
    postLogoutRedirectUris: [],
    signInRoles: [],
    requiredAcr: null,
    resources: ['https://api.example', 'urn:example:stock'],
    defaultScope: 'customer:read customer:write',
    allowedScope: '*',
    accessTokenTtl: 300,
    implicit: 'off',
    grantTypes: ['authorization_code'],
    tokenEndpointAuthMethod: 'none',
    pkce: 'required',
    requirePushedAuthorizationRequests: false,
    dpopBoundAccessTokens: false,
    profile: null,
    jwks: null,
    jwksUri: null,
    idTokenSignedResponseAlg: 'RS256',
    idTokenClaims: false,
    userinfoSignedResponseAlg: null,
    subjectType: 'public',
    sectorIdentifier: null,
    backchannelLogoutUri: null,
    backchannelLogoutSessionRequired: false,
    native: false,
    own: false,
    demo: false,
    registeredBy: 'operator',
    disabledAt: null,
    createdAt: (await stores.clients.find('shop-app'))?.createdAt.toISOString()
  }
  t.strictSame(JSON.parse(full.stdout), fields)
  t.strictSame(JSON.parse(cli(['client', 'show', 'shop-app', '--json']).stdout), fields)
  t.strictSame(JSON.parse(cli(['client', 'list', '--json']).stdout)[0], fields, 'by client_id')

  const date = plain?.createdAt.toISOString().slice(0, 10)
  t.equal(cli(['client', 'disable', 'shop-web']).stdout, 'Disabled the client "shop-web". Its access ends within ten seconds.\n')
  t.ok((await stores.clients.find('shop-web'))?.disabledAt)
  t.equal(cli(['client', 'list']).stdout, [
    'CLIENT ID  STATE     REGISTERED  NAME',
    `shop-app   enabled   ${date}  Web shop`,
    `shop-web   disabled  ${date}  Web shop`,
    ''
  ].join('\n'))
  t.match(cli(['client', 'show', 'shop-web']).stdout, /^State +disabled since \d{4}-.*Z$/m)
  t.match(JSON.parse(cli(['client', 'enable', 'shop-web', '--json']).stdout), { clientId: 'shop-web', disabledAt: null })
  t.equal((await stores.clients.find('shop-web'))?.disabledAt, null)
  t.equal(cli(['client', 'show', 'shop-app']).stdout, [
    'Client ID       shop-app',
    'Name            Web shop',
    'Logo            none', 'State           enabled',
    'Callbacks       com.example.shop:/cb',
    `                ${CALLBACK}`,
    'After sign-out  none',
    'Resources       https://api.example',
    '                urn:example:stock',
    'Default scope   customer:read customer:write',
    'Allowed scope   any',
    'Sign-in roles   none', 'Sign-in level   password',
    'Token lifetime  300 s',
    'Implicit grant  off',
    'Grant types     authorization_code', 'Authentication  none (public client)',
    'PKCE            required',
    'Requests        by the browser or pushed',
    'Access tokens   bearer, or bound to a key if it sends a DPoP proof',
    'ID tokens       signed with RS256',
    'Userinfo        JSON', 'Subjects        public', 'Logout tokens   none',
    'Native          no', 'Consent         needed',
    `Registered      ${fields.createdAt}`,
    ''
  ].join('\n'))

  t.strictSame(cli(['client', 'remove', 'shop-app'], 'y\n'), { code: 1, stdout: '', stderr: 'There is no terminal to confirm at. Add --yes if you are sure.\n' })
  t.ok(await stores.clients.find('shop-app'))
  t.strictSame(JSON.parse(cli(['client', 'remove', 'shop-app', '--yes', '--json']).stdout), fields, 'prints it as it was')
  t.equal(await stores.clients.find('shop-app'), null)
  t.strictSame(cli(['client', 'remove', 'shop-web', '--yes']), { code: 0, stdout: 'Removed the client "shop-web". Its access ends within ten seconds.\n', stderr: '' })
})

t.test('whether an app must push its requests and bind its tokens to a key is said at its registration and changed later', async t => {
  const { cli, stores } = await onDatabase(t)
  const found = async () => (await stores.clients.find('shop-web'))!
  const required = async () => [(await found()).requirePushedAuthorizationRequests, (await found()).dpopBoundAccessTokens]
  t.equal(cli(add('shop-web', '--require-par', '--require-dpop')).code, 0)
  t.same(await required(), [true, true])
  const { stdout } = cli(['client', 'show', 'shop-web'])
  t.match(stdout, /^Requests +must be pushed \(RFC 9126\)$/m)
  t.match(stdout, /^Access tokens +must be bound to a key \(DPoP, RFC 9449\)$/m)
  t.equal(cli(['client', 'update', 'shop-web', '--name', 'Shop']).code, 0)
  t.same(await required(), [true, true])
  t.equal(cli(['client', 'update', 'shop-web', '--no-require-par', '--no-require-dpop']).code, 0)
  t.same(await required(), [false, false])
})

t.test('where an app gets logout tokens is said at its registration and changed later', async t => {
  const { cli, stores } = await onDatabase(t)
  const uri = 'https://shop.example/logout-token'
  const refused = (address: string) => cli(add('shop-web', '--backchannel-logout-uri', address)).stderr
  t.match(refused('http://shop.example/'), /The address for logout tokens must be https; http is for loopback hosts only\./)
  t.match(refused('com.example.shop:/out'), /The address for logout tokens must be https/)
  t.match(refused('https://shop.example/#'), /The address for logout tokens has a fragment/)
  t.equal(cli(add('shop-web', '--backchannel-logout-uri', uri, '--backchannel-logout-session-required')).code, 0)
  t.match(await stores.clients.find('shop-web'), { backchannelLogoutUri: uri, backchannelLogoutSessionRequired: true })
  t.match(cli(['client', 'show', 'shop-web']).stdout, /^Logout tokens +sent to https:\/\/shop\.example\/logout-token$/m)
  t.match(cli(['export']).stdout, `    backchannelLogoutUri: ${uri}\n    backchannelLogoutSessionRequired: true\n`)
  t.equal(cli(['client', 'update', 'shop-web', '--no-backchannel-logout-uri', '--no-backchannel-logout-session-required']).code, 0)
  t.match(await stores.clients.find('shop-web'), { backchannelLogoutUri: null, backchannelLogoutSessionRequired: false })
})

t.test('a client_id that is taken is refused and changes nothing', async t => {
  const { cli, stores } = await onDatabase(t)
  cli(add('shop-web'))
  const before = await stores.clients.list()
  t.strictSame(cli(['client', 'add', 'shop-web', '--name', 'Thief', '--callback', 'https://thief.example/cb', '--json']),
    { code: 1, stdout: '', stderr: 'The client_id "shop-web" is taken. To see it: frontdesk-auth client show shop-web\n' })
  t.strictSame(await stores.clients.list(), before)
})

t.test('an app that is not there', async t => {
  const { cli } = await onDatabase(t)
  for (const command of ['show', 'disable', 'remove']) {
    t.strictSame(cli(['client', command, 'gh\u001bst', ...(command === 'remove' ? ['--yes'] : [])]),
      { code: 1, stdout: '', stderr: 'No client has the client_id "gh\\u001bst". To see all: frontdesk-auth client list\n' }, command)
  }
})

t.test('everything that is wrong with a registration is said at once, and nothing is registered', async t => {
  const { cli, stores } = await onDatabase(t)
  const { code, stdout, stderr } = cli(['client', 'add', 'a b', '--name', '', '--callback', 'http://a.example/', '--callback', CALLBACK,
    '--callback', 'https://a.example/#x', '--default-scope', 'a  b', '--resource', 'api', '--access-token-ttl', 'soon'])
  t.strictSame({ code, stdout }, { code: 1, stdout: '' })
  const expected = ['The client_id must be', 'The name is empty.', '"http://a.example/": The callback must be https', '"https://a.example/#x": The callback has a fragment',
    'The default scope must be', '"api": The resource is not', 'The lifetime of access tokens must be']
  const lines = stderr.trimEnd().split('\n')
  t.equal(lines.length, expected.length)
  expected.forEach((words, index) => t.match(lines[index], words))
  t.strictSame(await stores.clients.list(), [])
})

t.test('callbacks at registration', async t => {
  const { cli, stores } = await onDatabase(t)
  const refused: Array<[uri: string, words: string]> = [
    ['', 'not an absolute URI'],
    ['/callback', 'not an absolute URI'],
    ['//shop.example/callback', 'not an absolute URI'],
    ['http://shop.example/callback', 'must be https'],
    ['http://localhost.shop.example/callback', 'must be https'],
    ['http://127.0.0.2/callback', 'must be https'],
    ['myapp:/callback', 'private one with a dot'],
    ['https://shop.example/callback#', 'has a fragment'],
    ['https://shop.example/callback#x', 'has a fragment'],
    ['https://me@shop.example/callback', 'user name or password'],
    ['https://me:secret@shop.example/callback', 'user name or password'],
    ['https://@shop.example/callback', 'user name or password'],
    ['https://shop.example/call\tback', 'control character'],
    ['https://shop.example/call\r\nback', 'control character'],
    [' https://shop.example/callback', 'control character'],
    ['https://bücher.example/callback', 'outside ASCII'],
    ['https://shop.example\\callback', 'invalid in a URI'],
    ['https://shop.example/%zz', 'invalid in a URI'],
    ['https://SHOP.example/callback', 'in lower case'],
    ...['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'vbscript:x', 'blob:https://shop.example/x'].map((uri): [string, string] => [uri, 'The scheme of the callback']),
    ['https://shop.example/a/../callback', 'dot segment'],
    ['https://shop.example/a/%2e%2E/callback', 'dot segment'],
    ['https://shop.example/..', 'dot segment'],
    ...['access_token', 'code', 'error', 'state', 'iss'].map((name): [string, string] => [`https://shop.example/callback?a=b&${name}=x`, `The query of the callback holds ${name}`]),
    [`https://shop.example/${'x'.repeat(2000)}`, 'longer than 2000']
  ]
  const { code, stderr } = cli(['client', 'add', 'bad', '--name', 'Bad', ...refused.flatMap(([uri]) => ['--callback', uri])])
  t.equal(code, 1)
  const lines = stderr.trimEnd().split('\n')
  t.equal(lines.length, refused.length, 'a line for each')
  refused.forEach(([uri, words], index) => t.match(lines[index], words, JSON.stringify(uri)))
  t.equal(await stores.clients.find('bad'), null)
  const accepted = ['https://shop.example', 'https://shop.example/callback?tenant=1', 'https://shop.example:8443/', 'https://xn--bcher-kva.example/cb',
    'http://localhost:3002/callback', 'http://127.0.0.1/cb', 'http://[::1]:8080/cb', 'com.example.shop:/callback', 'com.example.shop://callback']
  t.equal(cli(['client', 'add', 'good', '--name', 'Good', ...accepted.flatMap(uri => ['--callback', uri])]).stderr, '')
  t.strictSame(new Set((await stores.clients.find('good'))?.callbacks), new Set(accepted), 'kept byte for byte')
})

import t, { type Test } from 'tap'
import { catalogues } from '../../../src/languages/catalogues.js'
import { PSEUDO, type MessageKey } from '../../../src/languages/languages.js'
import { textAttributes } from '../../../src/oauth/user-fields.js'
import { REQUEST_EVENTS } from '../../../src/stores/operation/audit.js'
import { isoWeek } from '../../../src/stores/operation/implicit-use-counter.js'
import { buildConsole } from '../../support/admin/console.js'
import { codeClient, codeQuery } from '../../support/code-flow.js'
import { Browser, client, formTokenOf, query } from '../../support/helper.js'

/** The console in a language, with something on every page; and the paths of its pages. */
async function openConsole (t: Test, language: string) {
  const built = await buildConsole(t, {
    DEFAULT_LANGUAGE: language, SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'id@example.com', MCP_RESOURCES: 'https://mcp.example/mcp'
  })
  const { add, as, app, stores } = built
  const id = await add('root', 'administrator')
  const [root, now] = [as('root'), new Date()]
  await stores.clients.put(client({ id: 'shop', implicit: 'allowed', tokenEndpointAuthMethod: 'client_secret_basic' }))
  await stores.clients.put(client({ id: 'self', registeredBy: 'open' }))
  await stores.implicitUses.add([{ clientId: 'shop', week: isoWeek(now), uses: 7, firstAt: now, lastAt: now }])
  await stores.roles.add('staff', ['customer:read'], 'phr')
  await stores.clients.put(codeClient({ implicit: 'allowed' }))
  await new Browser(app).allow(codeQuery({ scope: 'openid profile' }), { username: 'ann', password: 'correct horse' })
  for (let attempt = 0; attempt < 6; attempt++) await new Browser(app).allow(query(), { username: 'ann', password: 'wrong' })
  await root.open('')
  await app.auditTrail.flush()
  const [ann, event] = [(await stores.users.find('ann'))!.id, /href="\/admin(\/audit\/[\w-]{36})"/.exec((await root.open('/audit')).body)![1]!]
  return {
    ...built,
    root,
    id,
    paths: [
      '', '/people', '/people?search=nobody', '/people?client=app', '/people/invite', '/people/import', `/people/${ann}`, '/apps', '/apps?search=none',
      '/add-app', '/add-app?kind=server', '/add-app?kind=mcp', '/apps/shop', '/apps/self', '/apps/shop?uri=https://x.example',
      '/apps/shop/edit', '/apps/shop/set-up', '/apps/shop/set-up?library=oidc-client-ts', '/implicit', '/apps/shop/implicit',
      '/apps/shop/implicit?policy=until&date=2099-01-31', '/apps/shop/implicit?policy=off', '/apps/shop/implicit?policy=warn', '/roles',
      '/audit', '/audit?reference=gone', '/audit?since=x', '/audit?event=x', event, '/keys', '/health'
    ]
  }
}

/** What stays as it is: values, code, dates, what says that it is English, and the names of the languages. */
const VALUES = /<(code|pre|bdi|time|script|style)\b.*?<\/\1>|<(\w+) [^>]*\blang="(?!en-XA)[^"]*".*?<\/\2>|<option value="([^"]*)"[^>]*>\3<\/option>/gs

/** Names: of products, formats, protocols and settings, and what they are called in code. */
const NAMES = /Frontdesk|PNG|WebP|administrator|auditor|support|Keycloak|Auth0|JSON( Lines)?|CSV|HTTP|UTC|\bW\d\d\b|\d+ \w{3,4} \d{4}|\b\w+([_:.-]\w+)+\b|[A-Z_]{6,}|RS256|ES256|https?:\S+/g

/** What the test made, and names of columns, events, fields and hashes. */
const GIVEN = new RegExp(`\\b(?:An app|ann|bob|root|shop|self|staff|nobody|[\\w-]{43}|${[
  ...REQUEST_EVENTS, ...textAttributes, 'username', 'id', 'disabled', 'none', 'stafff', 'emailVerified', 'passwordHash', 'roles', 'bcrypt', 'scrypt', 'argon2', 'sha1', 'otp',
  'shoe size'
].join('|')})\\b`, 'g')

/** The texts of a page: those between tags, and those of attributes that are read. */
function textsOf (body: string): string[] {
  const markup = body.replace(VALUES, '')
  const attributes = [...markup.matchAll(/ (?:aria-label|alt|placeholder|title)="([^"]*)"/g)].map(([, text]) => text!)
  return [...markup.split(/<[^>]*>/), ...attributes].map(text => text.replace(/&#?\w+;/g, '\'').trim()).filter(text => text !== '')
}

const sentences = await catalogues.en()
// as: the keys are those of its type.
const keys = Object.keys(sentences) as MessageKey[]

/** The English words of a page in the pseudo-language, names of sentences in place of the sentences, and missing values. */
function untranslatedIn (body: string): string[] {
  const words = textsOf(body).filter(text => /[a-z]{2}/i.test(text.replace(GIVEN, '').replace(NAMES, '')))
  return [...words, ...[...keys, 'undefined'].filter(word => body.includes(word))]
}

t.test('in the pseudo-language, no page of the console has an English word', async t => {
  const { root, paths } = await openConsole(t, PSEUDO)
  for (const path of paths) {
    const { statusCode, body } = await root.open(path)
    t.equal(statusCode, 200, path)
    t.match(body, /<html lang="en-XA" dir="ltr"/)
    t.same(untranslatedIn(body), [], path)
  }
})

t.test('in the pseudo-language, no result of an action has an English word', async t => {
  const { root, add, as } = await openConsole(t, PSEUDO)
  await add('bob')
  const isWhole = (body: string) => {
    t.match(body, '<html lang="en-XA"')
    t.same(untranslatedIn(body), [])
  }
  isWhole((await root.send('/apps/shop/secrets', {}, '/apps/shop')).body)
  isWhole((await root.send('/apps/shop/remove', { confirm: 'other' }, '/apps/shop')).body)
  isWhole((await root.send('/apps/shop/edit', { pkce: 'never' }, '/apps/shop/edit')).body)
  isWhole((await root.send('/people/sign-out', {}, '/people')).body)
  isWhole((await root.send('/people/sign-out', { users: 'nobody' }, '/people')).body)
  isWhole((await root.send('/people/import', {}, '/people/import')).body)
  isWhole((await root.send('/people/invite', { username: 'staff' }, '/people/invite')).body)
  const { headers: { location } } = await root.send('/keys/rotate', {}, '/keys')
  isWhole((await root.open(String(location).replace('/admin', ''))).body)
  isWhole((await root.open('')).body)
  isWhole((await as('bob').open('')).body)
  isWhole((await root.get('/admin/callback?code=x')).body)
  isWhole((await root.send('/sign-out')).body)
})

/** Forms whose input breaks a rule that commands and the API share, by path. */
const REFUSED: ReadonlyArray<[path: string, fields: Record<string, string>, page?: string]> = [
  ['/add-app', { kind: 'page', clientId: 'shop', name: 'An app', callbacks: 'https://shop.example/cb' }],
  ['/add-app', { kind: 'page', clientId: 'a b', name: '', callbacks: 'https://user@shop.example/cb http://shop.example/cb https://x.example/../y' }],
  ['/add-app', { kind: 'page', clientId: 'new', name: 'An app' }],
  ['/apps/shop/edit', { pkce: 'optional', tokenEndpointAuthMethod: 'none', shown_pkce: '""', shown_tokenEndpointAuthMethod: '""', step: 'review' }],
  ['/apps/shop/edit', { backchannelLogoutUri: 'http://a.example/#x', jwksUri: 'http://a.example', step: 'review' }],
  ['/apps/shop/edit', { profile: 'fapi2', step: 'review' }],
  ['/apps/shop/implicit', { policy: 'until 2020-01-31' }],
  ['/apps/shop/adopt', {}, '/apps/shop'],
  ['/apps/shop/remove-secret', { slot: '7' }, '/apps/shop'],
  ['/keys/retire', { kid: 'none' }, '/keys'],
  ['/roles', { name: 'staff', scopes: 'customer:read' }],
  ['/roles', { name: 'a b', scopes: 'openid admin:read' }],
  ['/roles', { name: 'auditor', scopes: '' }],
  ['/roles/remove', { role: 'stafff' }, '/roles'],
  ['/people/invite', { username: 'ann' }],
  ['/people/invite', { username: 'x@y.example', email: 'x', locale: '-', picture: 'x' }],
  ['/people/invitation-codes/remove', { id: 'none' }, '/people'],
  ['/health/test-mail', {}, '/health']
]

t.test('in the pseudo-language, no refusal and no report of an import has an English word', async t => {
  const { root, id } = await openConsole(t, PSEUDO)
  for (const [path, fields, page = path] of REFUSED) {
    const { statusCode, body } = await root.send(path, fields, page)
    t.ok(statusCode >= 400, `${path} ${statusCode}`)
    t.same(untranslatedIn(body), [], `${path} ${JSON.stringify(fields)}`)
  }
  const last = await root.send(`/people/${id}/disable`, {}, `/people/${id}`)
  t.equal(last.statusCode, 409)
  t.same(untranslatedIn(last.body), [])

  const CSV = 'username,email,password_hash,roles,disabled,shoe size\nbob,b,$1$md5,editor,,\nann,,,,,\nbob,,,,,\nroot,,,,maybe,\nshort\n"x"y,,'
  const USERS = '{"users":[{"username":"staff","groups":["a"],"credentials":[{"type":"otp"},{"type":"password","credentialData":"{\\"algorithm\\":\\"sha1\\"}"}]}, 7'
  for (const [format, content] of [['csv', CSV], ['csv', 'email'], ['csv', ''], ['keycloak', USERS], ['auth0', '{"username":"bob","mfa_factors":["x"]}\n7']] as const) {
    const form = new FormData()
    form.set('transaction', formTokenOf(await root.open('/people/import')))
    form.set('file', new Blob([content || '\ufeff']), 'people')
    for (const [name, value] of Object.entries({ format, step: 'check', keep: 'yes' })) form.set(name, value)
    const { statusCode, body } = await root.upload('/admin/people/import', form)
    t.equal(statusCode, 200, content)
    t.same(untranslatedIn(body), [], content)
  }
})

t.test('in German, no page of the console has an English sentence', async t => {
  const { root, paths } = await openConsole(t, 'de')
  const de = await catalogues.de()
  const english = new Set<string>(keys.filter(key => sentences[key] !== de[key]).map(key => sentences[key]))
  for (const path of paths) {
    const { body } = await root.open(path)
    t.match(body, /<html lang="de" dir="ltr"/)
    t.same(textsOf(body).filter(text => english.has(text)), [], path)
  }
})

t.test('what an action did is said in Arabic, from right to left, and names keep their direction', async t => {
  const { root, id, stores } = await openConsole(t, 'ar')
  const { headers } = await root.send(`/people/${id}/sign-out`, {}, `/people/${id}`)
  t.match(headers.location, '/admin/people/')
  await stores.profiles.change('ann', { name: 'Ann (Shop)' })
  const { body } = await root.open('/people')
  t.match(body, /<html lang="ar" dir="rtl"/)
  t.match(body, '<bdi>Ann (Shop)</bdi>')
  const refused = await root.send('/people/sign-out', {}, '/people')
  t.match(refused.body, (await catalogues.ar())['console.nothing-changed'])
  const addresses = await root.send('/add-app', { kind: 'page', clientId: 'a b', name: 'x', callbacks: 'http://a.example' }, '/add-app')
  t.match(addresses.body, /<span dir="rtl">[^<]*<\/span> <span dir="rtl">\u2068&quot;http:\/\/a\.example&quot;\u2069: /, 'sentences do not mix')
})

import { readFileSync } from 'node:fs'
import t from 'tap'
import { buildOnce } from '../../support/helper.js'

const open = { token: null }
const files: Record<string, string> = {
  'icon.svg': 'image/svg+xml',
  'reference.css': 'text/css; charset=utf-8',
  'reference.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'oauth2-redirect.html': 'text/html; charset=utf-8',
  'oauth2-redirect.js': 'text/javascript; charset=utf-8'
}

t.test('/docs runs only its own files, and sends requests only to this service and the issuer', async t => {
  const { send, issuer } = await buildOnce(t)
  for (const path of ['/docs', '/docs/', '/docs/static/oauth2-redirect.html']) {
    const { statusCode, headers } = await send('GET', path, open)
    t.equal(statusCode, 200, path)
    t.match(headers, { 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
    t.equal(
      headers['content-security-policy'],
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ${new URL(issuer.url).origin}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
    )
    t.notOk('cross-origin-opener-policy' in headers, 'the popup tells it the answer')
  }
  const { headers, body } = await send('GET', '/docs', open)
  t.equal(headers['cache-control'], 'no-cache')
  const named = [...body.matchAll(/(?:src|href)="\/docs\/static\/([^"]+)"/g)].map(([, name]) => name!)
  t.same([...new Set(named)].filter(name => !(name in files)), [], 'it names only files that there are')
})

t.test('the root of the service redirects to /docs', async t => {
  for (const [root, home, docs] of [
    ['', '/', '/docs'],
    ['https://api.example/crm', '/crm', '/crm/docs'],
    ['https://api.example/crm', '/crm/', '/crm/docs']
  ] as const) {
    const { statusCode, headers } = await (await buildOnce(t, { SERVICE_ROOT: root })).send('GET', home, open)
    t.same([statusCode, headers.location], [302, docs], home)
  }
})

t.test('the files have their types and are asked for again only when they are others', async t => {
  const { send } = await buildOnce(t)
  for (const [name, type] of Object.entries(files)) {
    const { statusCode, headers } = await send('GET', `/docs/static/${name}`, open)
    t.equal(statusCode, 200, name)
    t.match(headers, { 'content-type': type, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' }, name)
    const again = await send('GET', `/docs/static/${name}`, { ...open, headers: { 'if-none-match': String(headers.etag) } })
    t.same([again.statusCode, again.body], [304, ''], name)
  }
})

t.test('there is nothing else below /docs, and nothing else to do there', async t => {
  const { send } = await buildOnce(t)
  for (const path of [
    '/docs/static',
    '/docs/static/',
    '/docs/static/swagger-ui.js',
    '/docs/json',
    '/docs/static/..%2f..%2fpackage.json',
    '/docs/static/%2e%2e/package.json'
  ]) {
    t.equal((await send('GET', path, open)).statusCode, 404, path)
  }
  const { statusCode, headers } = await send('POST', '/docs', open)
  t.same([statusCode, headers.allow], [405, 'GET, HEAD, OPTIONS'])
})

t.test('the programs in examples/ are shown as they are', async t => {
  const { body } = await (await buildOnce(t)).send('GET', '/docs', open)
  const shown = [...body.matchAll(/<code>(examples\/[^<]+)<\/code><\/p><pre tabindex="0">([^]*?)<\/pre>/g)]
  t.ok(shown.length > 0)
  for (const [, file, html] of shown) {
    const text = html!.replace(/&#(\d+);/g, (entity, code) => String.fromCharCode(code))
    t.equal(text, readFileSync(new URL(`../../../../../../${file}`, import.meta.url), 'utf8'), file!)
  }
})

t.test('the operator sets the app that Authorize signs in as; otherwise the page says what to type', async t => {
  const set = (await (await buildOnce(t, { DOCS_CLIENT_ID: 'docs"<&' })).send('GET', '/docs', open)).body
  t.match(set, 'data-client="docs&#34;&#60;&#38;"')
  t.notMatch(set, 'asks for a client_id')
  t.match((await (await buildOnce(t)).send('GET', '/docs', open)).body, /asks for a client_id: .*\/docs\/static\/oauth2-redirect\.html/)
})

t.test('below the path of SERVICE_ROOT, without sign-in, or not at all', async t => {
  const below = await buildOnce(t, { SERVICE_ROOT: 'https://api.example/crm' })
  t.equal((await below.send('GET', '/docs', open)).statusCode, 404)
  const { body } = await below.send('GET', '/crm/docs', open)
  for (const [, path] of body.matchAll(/(?:src|href|data-document|data-callback)="(\/[^"]*)"/g)) {
    t.equal((await below.send('GET', path!, open)).statusCode, 200, path!)
  }

  const everybody = await (await buildOnce(t, { AUTH: 'none' })).send('GET', '/docs', open)
  t.match(everybody.body, 'You do not have to sign in here.')
  t.match(everybody.headers['content-security-policy'], "connect-src 'self';")

  const off = await buildOnce(t, { DOCS: 'off' })
  for (const path of ['/', '/docs']) t.equal((await off.send('GET', path, open)).statusCode, 404, path)
  t.notMatch((await off.send('GET', '/problems/path-unknown', open)).body, '/docs')
  t.equal((await off.send('GET', '/openapi.json', open)).statusCode, 200)
})

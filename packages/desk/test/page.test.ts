import { readFileSync } from 'node:fs'
import t from 'tap'
import { build, linked } from './support/build.js'

t.test('the page preloads every module that another one imports, each once', async t => {
  const desk = await build(t)
  const { body } = await desk.inject('/')
  const modules = linked(body, 'modulepreload')
  const [, entry = ''] = /<script type="module" src="([^"]+)"/.exec(body)!
  const needed = new Set([entry])
  for (const path of needed) {
    const { statusCode, headers, body } = await desk.inject(path)
    t.match([statusCode, headers['content-type']], [200, 'text/javascript; charset=utf-8'], path)
    for (const [, specifier] of body.matchAll(/\b(?:import|export)\b[^'"();]*?from ?['"](\.[^'"]+)['"]/g)) needed.add(new URL(specifier!, `http://desk${path}`).pathname)
  }
  t.ok(needed.size > 25, `${needed.size} modules`)
  t.same(modules.toSorted(), [...needed].sort())
})

t.test('modules that are loaded at their first use are served, but not preloaded', async t => {
  const desk = await build(t)
  const modules = linked((await desk.inject('/')).body, 'modulepreload')
  const page = modules.find(path => path.endsWith('/page.js'))!
  const { body } = await desk.inject(page)
  const onDemand = [...body.matchAll(/\bimport\('(.+?)'\)/g)].map(([, specifier]) => new URL(specifier!, `http://desk${page}`).pathname)
  t.ok(onDemand.length > 1)
  for (const path of onDemand) {
    t.match(await desk.inject(path), { statusCode: 200, headers: { 'cache-control': /immutable/ } }, path)
    t.notOk(modules.includes(path), path)
  }
})

t.test('files are immutable under the current version, and revalidated under any other', async t => {
  const desk = await build(t)
  const { body, headers } = await desk.inject('/')
  t.equal(headers['cache-control'], 'no-cache')
  const again = await desk.inject({ url: '/', headers: { 'if-none-match': String(headers.etag) } })
  t.match([again.statusCode, again.body], [304, ''])

  for (const path of [...linked(body, 'stylesheet'), ...linked(body, 'modulepreload'), ...linked(body, 'icon')]) {
    const file = await desk.inject(path)
    t.match([file.statusCode, file.headers['cache-control']], [200, 'public, max-age=31536000, immutable'], path)
    const [, , version] = path.split('/')
    const other = await desk.inject(path.replace(version!, '0123456789ab'))
    t.match([other.statusCode, other.headers['cache-control'], other.headers.etag], [200, 'no-cache', file.headers.etag], 'a replica during an update')
    t.equal((await desk.inject({ url: path, headers: { 'if-none-match': String(file.headers.etag) } })).statusCode, 304)
  }
  t.equal((await desk.inject('/favicon.ico')).statusCode, 200)
  for (const path of ['/package.json', '/assets/x/package.json', '/assets/x/../config.js', '/assets/x/lit/node/lit-html.js', '/server.js']) {
    t.equal((await desk.inject(path)).statusCode, 404, path)
  }
})

t.test('the page has its settings, and the frame of the signed-in desk, at the callback too', async t => {
  const desk = await build(t, { ISSUER: 'http://localhost:4000/id', CUSTOMER_URL: 'http://localhost:4000/c', CLIENT_ID: '</script><b>' })
  const { body } = await desk.inject('/')
  t.notMatch(body, '<b>')
  const [, json = ''] = /<script id="settings" type="application\/json">(.*?)<\/script>/.exec(body)!
  t.match(JSON.parse(json), { issuer: 'http://localhost:4000/id', customerUrl: 'http://localhost:4000/c', clientId: '</script><b>' })
  t.same([...body.matchAll(/rel="preconnect" href="([^"]+)"/g)].map(([, origin]) => origin), ['http://localhost:4000'])
  t.match(body, '<header class="top">')
  t.equal((await desk.inject('/callback?code=x')).body, body)
})

t.test('pages, files, errors and health have the headers that protect the page', async t => {
  const desk = await build(t, { ISSUER: 'https://id.example/a', CUSTOMER_URL: 'https://api.example/b' })
  for (const path of ['/', '/callback', '/health/live', '/nowhere', '/favicon.ico']) {
    t.match((await desk.inject(path)).headers, {
      'content-security-policy': /^default-src 'none'; (?=.*base-uri 'none')(?=.*frame-ancestors 'none')/,
      'permissions-policy': /camera=\(\)/,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY'
    }, path)
  }
  const { headers } = await desk.inject('/')
  t.match(headers['content-security-policy'], "connect-src 'self' https://id.example https://api.example;")
  t.notMatch(headers['content-security-policy'], 'unsafe')
})

t.test('the brand is on the page and on errors, in colors with enough contrast', async t => {
  const logo = new URL('../../public/icon.svg', import.meta.url)
  const desk = await build(t, {
    BRAND_NAME: 'A & <B>', BRAND_LOGO: logo.pathname, BRAND_COLOR: '#ffcc00', PRIVACY_URL: 'https://www.example/privacy'
  })
  const { body } = await desk.inject('/')
  t.match(body, '<title>Customer desk · A &amp; &lt;B&gt;</title>')
  const [, address = ''] = /<p class="brand"><img class="logo plate" src="([^"]+)" alt="A &#38; &#60;B&#62;"><\/p>/.exec(body)!
  const image = await desk.inject(address)
  t.match([image.statusCode, image.headers['content-type'], image.body], [200, 'image/svg+xml', readFileSync(logo, 'utf8')])
  t.match(body, '{"text":"Privacy","href":"https://www.example/privacy"}')
  const colors = await desk.inject(linked(body, 'stylesheet')[0]!)
  t.match(colors.body, '--accent: #8a6e00; --button: #ffcc00;')
  const page = await desk.inject({ url: '/nowhere', headers: { accept: 'text/html,application/xhtml+xml' } })
  t.match(page.body, '--button: #ffcc00;')
  t.match(page.body, '<a href="https://www.example/privacy">Privacy</a>')
  t.match(page.body, address)
  t.notMatch(body + page.body, /frontdesk/i)
})

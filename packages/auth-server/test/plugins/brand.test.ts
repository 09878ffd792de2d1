import { PNG, SVG, WEBP } from '@frontdesk/test-kit/images'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadConfig } from '../../src/config.js'
import { folder } from '../support/cli/frontdesk-auth.js'
import { Browser, build, query } from '../support/helper.js'

const pages = [`/consent?${query()}`, '/account', '/device', '/authorize', '/nowhere', '/forgot-password', '/set-password?link=x', '/problems', '/leave-implicit']

t.test('no page has another name than that of the installation, and each links its terms, its privacy policy and its help', async t => {
  const { app } = await build(t, {
    BRAND_NAME: 'Müller & <Sons>',
    TERMS_URL: 'https://www.example/terms?a=1&b=2',
    PRIVACY_URL: 'https://www.example/privacy',
    SUPPORT_URL: 'mailto:help@www.example',
    SMTP_URL: 'smtp://localhost',
    MAIL_FROM: 'no-reply@www.example'
  })
  const browser = new Browser(app)
  const signedIn = new Browser(app)
  await signedIn.allow()
  for (const [who, path] of [...pages.map(path => [browser, path] as const), [signedIn, '/account'], [signedIn, '/end-session']] as const) {
    const { body } = await who.get(path)
    t.match(body, ' · Müller &amp; &lt;Sons&gt;</title>', path)
    t.notMatch(body, /frontdesk/i, path)
    t.ok(body.includes('<footer>\n<a href="https://www.example/terms?a=1&amp;b=2">Terms</a>\n<a href="https://www.example/privacy">Privacy</a>\n' +
      '<a href="mailto:help@www.example">Help</a>\n'), path)
  }
})

t.test('without settings, pages have the name and the icon of Frontdesk, and no links', async t => {
  const { app } = await build(t)
  const { body } = await new Browser(app).get(pages[0]!)
  t.match(body, /<title>Sign in to An app · Frontdesk<\/title>/)
  t.match(body, /<p class="brand"><img src="\/assets\/icon\.svg" alt="" width="24" height="24">Frontdesk<\/p>/)
  t.notMatch(body, '<a ')
})

t.test('the logo replaces the name on every page, comes from this server, and runs no script also when it is opened by its address', async t => {
  const [svg, png] = [join(folder(t), 'logo.svg'), join(folder(t), 'logo.png')]
  writeFileSync(svg, SVG)
  writeFileSync(png, PNG)
  for (const [path, type, content] of [[svg, 'image/svg+xml', SVG], [png, 'image/png', PNG]] as const) {
    const { app } = await build(t, { BRAND_NAME: 'A & B', BRAND_LOGO: path, ISSUER: 'https://id.example/id' })
    const { body, headers } = await new Browser(app).get(`/id/consent?${query()}`)
    const [, address = ''] = /<p class="brand">\s*<img class="logo plate" src="([^"]+)" alt="A &#38; B">\s*<\/p>/.exec(body) ?? []
    t.match(address, /^\/id\/logos\/[\w-]{43}\.(svg|png)$/)
    t.match(headers['content-security-policy'], "img-src 'self';")
    const logo = await app.inject(address)
    t.match(logo.headers, {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff'
    })
    t.same(logo.rawPayload, content)
    t.ok((await new Browser(app).get('/id/nothing')).body.includes(address), 'an error has it, too')
  }
})

t.test('a logo that knows dark pages has no light plate there', async t => {
  const path = join(folder(t), 'logo.svg')
  writeFileSync(path, '<svg xmlns="http://www.w3.org/2000/svg"><style>@media (prefers-color-scheme: dark) { * { fill: #fff } }</style></svg>')
  const { app } = await build(t, { BRAND_LOGO: path })
  t.match((await new Browser(app).get('/account')).body, '<img class="logo" src="/logos/')
})

t.test('the color of the brand is in the stylesheet', async t => {
  const [plain, green] = await Promise.all([{}, { BRAND_COLOR: '#0B6E4F' }].map(async env => (await build(t, env)).app.inject('/assets/style.css')))
  t.ok(green!.body.startsWith(plain!.body))
  t.match(green!.body.slice(plain!.body.length), /^\n:root \{ --accent: #0B6E4F;/)
  t.not(green!.headers.etag, plain!.headers.etag)
})

t.test('a logo that cannot be used stops the start with a sentence', async t => {
  const inFolder = folder(t)
  writeFileSync(join(inFolder, 'logo.webp'), WEBP)
  t.throws(() => loadConfig({ BRAND_LOGO: 'none.svg', INIT_CWD: inFolder }), {
    message: /^BRAND_LOGO must be an SVG, PNG or WebP file of at most 64 KB\. \/.*\/none\.svg cannot be read: there is no such file/
  })
  t.match(loadConfig({ BRAND_LOGO: 'logo.webp', INIT_CWD: inFolder }).brand.logo, { type: 'image/webp', adapts: false })
})

import t from 'tap'
import { Browser, build, query } from '../helper.js'

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
    t.ok(body.includes('<footer><a href="https://www.example/terms?a=1&amp;b=2">Terms</a> <a href="https://www.example/privacy">Privacy</a> ' +
      '<a href="mailto:help@www.example">Help</a> </footer>'), path)
  }
})

t.test('without settings, pages have the name and the icon of Frontdesk, and no links', async t => {
  const { app } = await build(t)
  const { body } = await new Browser(app).get(pages[0]!)
  t.match(body, /<title>An app asks for access · Frontdesk<\/title>/)
  t.match(body, /<p class="brand"><img src="\/assets\/icon\.svg" alt="" width="28" height="28">Frontdesk<\/p>/)
  t.notMatch(body, '<footer')
})

import t from 'tap'
import { queryOf } from '../../support/code-flow.js'
import { Browser, build, formTokenOf, query } from '../../support/helper.js'

const languageOf = ({ body }: { body: string }) => /<html lang="([^"]+)" dir="(\w+)"/.exec(body)?.slice(1).join(' ')

t.test('a page has the language that was chosen, of ui_locales, of the user, of the browser, or the default, in this order', async t => {
  const { app, stores } = await build(t, { DEFAULT_LANGUAGE: 'es' })
  const accept = { accept: 'text/html', 'accept-language': 'nl, fr-CH;q=0.8, en;q=0.5' }
  const url = `/consent?${query()}`
  t.equal(languageOf(await app.inject({ url, headers: { accept: 'text/html' } })), 'es ltr')
  t.equal(languageOf(await app.inject({ url, headers: { ...accept, 'accept-language': 'nl' } })), 'es ltr')
  t.equal(languageOf(await app.inject({ url, headers: { ...accept, 'accept-language': '\u0000;;q=x' } })), 'es ltr')
  t.equal(languageOf(await app.inject({ url, headers: accept })), 'fr ltr')
  const browser = new Browser(app)
  await browser.allow()
  await stores.profiles.change('ann', { locale: 'ar-EG' })
  const cookie = () => [...browser.cookies].map(pair => pair.join('=')).join('; ')
  const open = async (url: string) => await app.inject({ url, headers: { ...accept, cookie: cookie() } })
  t.equal(languageOf(await open(url)), 'ar rtl')
  t.equal(languageOf(await open('/nowhere')), 'ar rtl', 'an error, too')
  t.equal(languageOf(await open(`${url}&ui_locales=tlh+de-AT%20fr`)), 'de ltr')
  await browser.post('/language', { language: 'fr', back: '/account' })
  t.equal(languageOf(await open(`${url}&ui_locales=de`)), 'fr ltr')
  t.equal(languageOf(await open('/account')), 'fr ltr')
})

t.test('a person who signs in sees their own language from the first page on', async t => {
  const { app, stores } = await build(t)
  await stores.profiles.change('ann', { locale: 'de' })
  const browser = new Browser(app)
  const transaction = formTokenOf(await browser.get('/account'))
  const signedIn = await browser.post('/account', { transaction, decision: 'sign-in', username: 'ann', password: 'correct horse' })
  t.equal(signedIn.statusCode < 400, true)
  t.equal(languageOf(signedIn.statusCode === 200 ? signedIn : await browser.get('/account')), 'de ltr')
})

t.test('ui_locales stays from the request to the consent page, its failures and errors', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  const search = query({ ui_locales: 'xx de', prompt: 'consent' })
  const { headers } = await browser.get(`/authorize?${search}`)
  const page = await browser.get(String(headers.location).replace('https://id.example', ''))
  t.match(page.body, 'Bei <strong>An app</strong> anmelden')
  t.match(page.body, '<title>Bei An app anmelden · Frontdesk</title>')
  const form = { transaction: formTokenOf(page), decision: 'allow', username: 'ann', password: 'wrong' }
  const failed = await browser.post(`/consent?${search}`, form)
  t.match(failed.body, 'Benutzername oder Passwort ist falsch.')
  t.match(failed.body, '<title>Fehler: Bei An app anmelden')
  t.equal(languageOf(await browser.post(`/consent?${search}`, { ...form, transaction: 'x' })), 'de ltr')
  t.equal(languageOf(await browser.get(`/consent?${query({ ui_locales: 'de', client_id: 'nobody' })}`)), 'de ltr')
  for (const nonsense of ['%00', 'x'.repeat(5_000), '-', 'constructor', '__proto__', '<b>']) {
    t.equal(languageOf(await browser.get(`/consent?${query({ ui_locales: nonsense })}`)), 'en ltr', nonsense.slice(0, 20))
  }
  const { headers: { location } } = await browser.get(`/consent?${query()}&ui_locales=de&ui_locales=fr`)
  t.match(location, 'error=invalid_request')
})

t.test('the switch needs no script, keeps the page, and leads nowhere else', async t => {
  const { app } = await build(t, { ISSUER: 'https://id.example/id' })
  const browser = new Browser(app)
  const path = `/id/consent?${query()}`
  const { body } = await browser.get(path)
  const [, form = ''] = /<form class="languages" method="post" action="\/id\/language"[^>]*>([^]*?)<\/form>/.exec(body) ?? []
  const back = /name="back" value="([^"]*)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') ?? ''
  t.equal(back, path)
  t.same([...form.matchAll(/value="(\w\w)" lang="(\w\w)"( aria-current="true")?>/g)].map(([, ...found]) => found.join(' ').trim()),
    ['en en  aria-current="true"', 'de de', 'fr fr', 'es es', 'ar ar'])
  const answer = await browser.post('/id/language', { language: 'ar', back })
  t.match(answer, { statusCode: 303, headers: { location: path, 'cache-control': 'no-store' } })
  t.match(answer.cookies, [{ name: '__Host-language+id', value: 'ar', httpOnly: true, secure: true, sameSite: 'Lax', path: '/', maxAge: 31_536_000 }])
  t.equal(languageOf(await browser.get(path)), 'ar rtl')
  const rows = ['https://evil.example/', '//evil.example', '/\\evil.example', '/\t/evil.example', '/.//evil.example', 'evil', '', 'javascript:alert(1)', 'http://here.invalid/x']
  for (const back of rows) {
    const { statusCode, headers: { location } } = await browser.post('/id/language', { language: 'de', back })
    t.match([statusCode, location], [303, '/id/account'], back)
  }
  const kept = await browser.post('/id/language', { language: 'tlh', back: '/id/account' })
  t.match([kept.statusCode, kept.cookies], [303, []])
  t.equal((await browser.post('/id/language', 'language=de&language=fr')).statusCode, 400)
})

t.test('a page that answers a form returns to its own path, or to the account', async t => {
  const { app } = await build(t)
  const backOf = ({ body }: { body: string }) => /name="back" value="([^"]*)"/.exec(body)?.[1]
  const browser = new Browser(app)
  t.match(backOf(await browser.post(`/consent?${query()}`, { decision: 'allow' })), '/consent?')
  t.equal(backOf(await browser.post('/token', { grant_type: 'x' })), undefined)
  t.equal(backOf(await browser.post('/nowhere', {})), '')
})

t.test('the pseudo-language shows every page, in development only', async t => {
  const { app } = await build(t, { DEFAULT_LANGUAGE: 'en-XA' })
  const { body } = await app.inject({ url: `/consent?${query({ ui_locales: 'de' })}`, headers: { accept: 'text/html', 'accept-language': 'fr' } })
  t.match(body, '<html lang="en-XA" dir="ltr"')
  const text = body.replace(/<(script|style)\b[^]*?<\/\1>|<footer>[^]*<\/footer>|<title>[^]*<\/title>/g, '').replace(/<[^>]*>/g, ' ')
  t.same(text.match(/[a-z]{2,}(?:\.[a-z]+)?/gi), ['Frontdesk', 'An', 'app', 'An', 'app', 'app.example', 'Frontdesk'])
})

t.test('errors that a callback receives stay English', async t => {
  const { app } = await build(t)
  const browser = new Browser(app)
  const search = query({ response_type: 'code', ui_locales: 'de' })
  t.match(queryOf(await browser.get(`/consent?${search}`)), { error_description: /^[\x20-\x7e]+$/ })
})

import t from 'tap'
import { loadConfig } from '../../../src/config.js'
// What it adds to Fastify's types.
import type {} from '../../../src/plugins/clock.js'
import { createFactorLinks } from '../../../src/sign-in/factor-link.js'
import { createPasswordLinks } from '../../../src/sign-in/password-link.js'
import { askForCodes, deviceClient, enter } from '../../support/device-flow.js'
import { Browser, build, formTokenOf, query } from '../../support/helper.js'
import { textOf } from '../../support/page-text.js'

/** Opens every page that this test reaches, in a browser. */
async function pagesOf (t: Parameters<typeof build>[0], env: Record<string, string>, language: string) {
  const { app, stores } = await build(t, { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'no-reply@www.example', ...env })
  await stores.clients.put(deviceClient({ name: 'An app' }))
  const browser = new Browser(app)
  if (language !== 'en-XA') browser.cookies.set('__Host-language', language)
  const post = async (path: string, form: Record<string, string> = {}) => await browser.post(path, form)
  const search = query()
  const pages: Record<string, Awaited<ReturnType<Browser['get']>>> = {}
  for (const path of ['/device', '/forgot-password', '/nowhere', '/authorize', '/consent?client_id=x', '/set-password?link=x',
    '/not-me?link=x', '/set-up-factor?link=x', '/sign-out', '/end-session', `/consent?${search}`, '/problems', '/problems/cookies-off']) {
    pages[path] = await browser.get(path)
  }
  pages['wrong callback'] = await browser.get(`/consent?${query({ redirect_uri: 'https://app.example/cb/' })}`)
  pages['wrong password'] = await post(`/consent?${search}`, {
    transaction: formTokenOf(pages[`/consent?${search}`]!), decision: 'allow', username: 'ann', password: 'x'
  })
  pages['wrong code'] = await post('/device', { transaction: formTokenOf(pages['/device']!), decision: 'continue', user_code: 'BBBB-BBBB' })
  pages['foreign form'] = await post(`/consent?${search}`, { decision: 'allow', transaction: 'x' })
  pages['mail sent'] = await post('/forgot-password', { username: 'x' })
  const { user_code: userCode } = await askForCodes(app)
  pages['device consent'] = await enter(browser, userCode)
  await post('/device', { transaction: formTokenOf(pages['device consent']), user_code: userCode, decision: 'deny' })
  pages['device denied'] = await browser.get('/device')
  const now = app.clock.now()
  const user = (await stores.users.find('ann'))!
  const link = (await createFactorLinks(stores, loadConfig({})).issue(user, undefined, now)).link
  pages['set-up link'] = await browser.get(`/set-up-factor?link=${link}`)
  for (const isInvitation of [true, false]) {
    const link = await createPasswordLinks(stores, loadConfig({})).issue(user, { isInvitation }, now)
    pages[`password link, ${isInvitation}`] = await browser.get(`/set-password?link=${link}`)
    pages[`short password, ${isInvitation}`] = await post('/set-password', { link, new_password: 'x' })
  }
  await browser.allow(search)
  for (const path of ['/sign-out', '/end-session', `/consent?${search}&prompt=consent`]) pages[`signed in ${path}`] = await browser.get(path)
  pages['signed out'] = await post('/sign-out', { transaction: formTokenOf(pages['signed in /sign-out']!) })
  return pages
}

t.test('in the pseudo-language, no page shows English', async t => {
  const pages = await pagesOf(t, { DEFAULT_LANGUAGE: 'en-XA' }, 'en-XA')
  for (const [name, page] of Object.entries(pages)) {
    t.match(page.body, '<html lang="en-XA" dir="ltr"', name)
    t.same(textOf(page).match(/[A-Za-z]{2,}/g), null, name)
  }
})

for (const [language, direction, common] of [['de', 'ltr', 'Sie'], ['fr', 'ltr', 'vous'], ['es', 'ltr', 'su'], ['ar', 'rtl', 'هذ']] as const) {
  t.test(`every page is in the language ${language}, with its direction`, async t => {
    const pages = await pagesOf(t, {}, language)
    let found = 0
    for (const [name, page] of Object.entries(pages)) {
      t.match(page.body, `<html lang="${language}" dir="${direction}"`, name)
      t.notMatch(textOf(page), / (?:the|you|your|this|to|of) /i, name)
      if (textOf(page).includes(common)) found++
    }
    t.ok(found > 5, `${found} pages`)
  })
}

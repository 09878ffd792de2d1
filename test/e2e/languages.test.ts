import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import t from 'tap'
import { check, openPage, skip, startBrowser } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { startStack } from '../support/stack.js'

await t.test('the languages of the sign-in pages, in a real Chromium', { skip }, async t => {
  const stack = await startStack(t, ['auth-server'])
  const browser = await startBrowser(t)
  await addPerson(stack, erika)
  const app = createServer((request, response) => response.setHeader('content-type', 'text/html').end('The app')).listen(0, '127.0.0.1')
  await once(app, 'listening')
  t.teardown(() => { app.close(); app.closeAllConnections() })
  // as: it listens on a port.
  const callback = `http://127.0.0.1:${(app.address() as AddressInfo).port}/cb`
  await stack.register(['client', 'add', 'shop', '--name', 'An app', '--callback', callback, '--grant', 'authorization_code'])
  const url = `${stack.issuer}/authorize?response_type=code&client_id=shop&state=a%20b&code_challenge=${'x'.repeat(43)}&code_challenge_method=S256`

  /** Signs in, whatever the language. */
  const signIn = async (page: Page, password: string) => {
    await page.locator('#username').fill(erika.username)
    await page.locator('#password').fill(password)
    await page.locator('button[value=allow]').click()
  }

  await t.test('a page is in the browser\'s language, and in another with the switch, without JavaScript', async t => {
    const page = await openPage(t, browser, stack, { locale: 'de-AT', javaScriptEnabled: false })
    await page.goto(url)
    t.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Bei An app anmelden')
    const address = page.url()
    await page.getByRole('button', { name: 'العربية' }).click()
    await page.locator('html[lang=ar][dir=rtl]').waitFor()
    t.equal(page.url(), address)
    const [field, label] = await Promise.all([page.locator('#username'), page.locator('label[for=username]')].map(it => it.boundingBox()))
    t.ok(Math.abs(label!.x + label!.width - field!.x - field!.width) < 2, 'the page is mirrored')
    await signIn(page, erika.password)
    await page.getByText('The app').waitFor()
    t.match(Object.fromEntries(new URL(page.url()).searchParams), { state: 'a b', code: /./ })
    await page.goto(`${stack.issuer}/sign-out`)
    t.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'تسجيل الخروج')
  })

  await t.test('ui_locales of the app is stronger than the browser, and each page is accessible and fits on the smallest screen', async t => {
    for (const language of ['de', 'fr', 'es', 'ar']) {
      const page = await openPage(t, browser, stack, { locale: 'en-US', viewport: { width: 320, height: 640 } })
      await page.goto(`${url}&ui_locales=xx%20${language}`)
      await page.locator(`html[lang=${language}]`).waitFor()
      await check(t, page, language)
      await signIn(page, 'wrong')
      await page.locator('#refusal').waitFor()
      await page.locator(`html[lang=${language}]`).waitFor()
      await check(t, page, `${language}, after a wrong password`)
    }
  })
})

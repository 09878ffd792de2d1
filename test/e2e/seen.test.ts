import type { Page } from 'playwright-core'
import t from 'tap'
import { accessibilityFindings, allow, allowButton, openPage, signIn, skip, startBrowser } from '../support/browser.js'
import { addPerson, authorizationUrl, erika } from '../support/person.js'
import { endStack, startStack, type Stack } from '../support/stack.js'

await t.test('what people see of the consent and the account page', { skip }, async t => {
  const stack = await startStack(t)
  const browser = await startBrowser(t)
  await addPerson(stack, erika)
  const url = authorizationUrl(stack)

  await t.test('on a phone, held sideways and at 200 % zoom, the first things seen are the app and the fields; the next ones, what it may do', async t => {
    const page = await openPage(t, browser, stack)
    for (const hint of ['', 'ann']) {
      for (const viewport of [{ width: 390, height: 664 }, { width: 640, height: 360 }, { width: 640, height: 320 }]) {
        const where = `${viewport.width} x ${viewport.height}`
        await page.setViewportSize(viewport)
        await page.goto(authorizationUrl(stack, { ...(hint && { login_hint: hint }) }))
        t.equal(await page.evaluate(() => window.scrollY), 0)
        t.equal(await page.evaluate(() => document.activeElement?.tagName), 'BODY')
        const parts = [
          page.getByRole('heading', { level: 1 }), page.getByLabel('User name'), page.getByLabel('Password', { exact: true }),
          page.locator('.permissions'), allowButton(page)
        ]
        const boxes = await Promise.all(parts.map(async part => (await part.boundingBox())!))
        t.ok(boxes.every(({ y }, index) => index === 0 || y > boxes[index - 1]!.y), `${where}: in this order`)
        for (const { y, height } of boxes.slice(0, 3)) t.ok(y >= 0 && y + height <= viewport.height, `${where}: ${y} + ${height}`)
      }
    }
  })

  await t.test('a wrong password is typed again at once: the page stays as small as the window', async t => {
    const page = await openPage(t, browser, stack)
    for (const viewport of [{ width: 1280, height: 800 }, { width: 390, height: 844 }, { width: 640, height: 360 }]) {
      const where = `${viewport.width} x ${viewport.height}`
      await page.setViewportSize(viewport)
      await page.goto(deskRequest(stack))
      const before = await page.evaluate(() => document.documentElement.scrollHeight)
      await allow(page, { ...erika, password: 'wrong' })
      const alert = page.getByRole('alert')
      await alert.waitFor()
      t.equal(await page.evaluate(() => document.activeElement?.id), 'password', where)
      t.equal(await page.evaluate(() => window.scrollY), 0, where)
      const after = await page.evaluate(() => document.documentElement.scrollHeight)
      if (before <= viewport.height) t.ok(after <= viewport.height, `${where}: ${before}, then ${after} pixels`)
      for (const part of [alert, page.getByLabel('Password', { exact: true })]) {
        const { y, height } = (await part.boundingBox())!
        t.ok(y >= 0 && y + height <= viewport.height, `${where}: ${y} + ${height}`)
      }
    }
  })

  await t.test('what the desk requests fits on a laptop in every language, also after a wrong password', async t => {
    const first = await openPage(t, browser, stack)
    await first.goto(deskRequest(stack))
    const locales = await first.locator('.languages button').evaluateAll(buttons => buttons.map(button => button.getAttribute('lang')!))
    t.ok(locales.length > 1)
    for (const locale of locales) {
      const page = await openPage(t, browser, stack, { locale, viewport: { width: 1280, height: 800 } })
      await page.goto(deskRequest(stack))
      const height = () => page.evaluate(() => document.documentElement.scrollHeight)
      t.equal(await page.locator('html').getAttribute('lang'), locale)
      t.ok(await height() <= 800, `${locale}: ${await height()} pixels`)
      // No account: five wrong passwords would lock one.
      await page.locator('#username').fill('nobody')
      await page.locator('#password').fill('wrong')
      await allowButton(page).click()
      await page.getByRole('alert').waitFor()
      t.ok(await height() <= 800, `${locale}: ${await height()} pixels after a wrong password`)
    }
  })

  await t.test('every sign-in page can show the password, and hides it before the browser stores it', async t => {
    for (const address of [url, `${stack.issuer}/account`]) {
      const page = await openPage(t, browser, stack)
      await page.goto(address)
      const field = page.getByLabel('Password', { exact: true })
      await page.getByLabel('User name').fill(erika.username)
      await field.fill(erika.password)
      await page.getByLabel('Show password').check()
      t.equal(await field.getAttribute('type'), 'text')
      await page.evaluate(() => document.forms[0]!.addEventListener('submit', event => event.preventDefault()))
      await field.press('Enter')
      t.equal(await field.getAttribute('type'), 'password')
    }
    const page = await openPage(t, browser, stack, { javaScriptEnabled: false })
    await page.goto(url)
    t.notOk(await page.getByLabel('Show password').isVisible(), 'without a script there is none')
  })

  await t.test('forced colours tell Allow from Deny by border and background', async t => {
    const page = await openPage(t, browser, stack, { forcedColors: 'active' })
    await page.goto(url)
    const looks = (decision: string) => page.locator(`button[value=${decision}]`).evaluate(button => {
      const { borderTopWidth, backgroundColor } = getComputedStyle(button)
      return { borderTopWidth, backgroundColor }
    })
    const [allowed, denied] = [await looks('allow'), await looks('deny')]
    t.same([allowed.borderTopWidth, denied.borderTopWidth], ['3px', '1px'])
    t.not(allowed.backgroundColor, denied.backgroundColor)
  })

  await t.test(
    'the account page shows times in the zone of the person, shows passwords, and ends a session; without JavaScript all but these two work',
    async t => {
      for (const javaScriptEnabled of [true, false]) {
        const other = await openPage(t, browser, stack)
        await other.goto(`${stack.issuer}/account`)
        await enter(other)
        const page = await openPage(t, browser, stack, { timezoneId: 'Asia/Kolkata', locale: 'en-GB', javaScriptEnabled })
        await page.goto(`${stack.issuer}/account`)
        await enter(page)
        const time = page.locator('time').last()
        const inZone = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kolkata' }).format(
          new Date((await time.getAttribute('datetime'))!)
        )
        if (javaScriptEnabled) t.equal(await time.textContent(), `${inZone} GMT+5:30`)
        else t.match(await time.textContent(), /UTC$/)
        const reveal = page.getByLabel('Show passwords')
        t.equal(await reveal.isVisible(), javaScriptEnabled)
        if (javaScriptEnabled) {
          t.same(await accessibilityFindings(page), [])
          await page.setViewportSize({ width: 320, height: 640 })
          t.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320)
          await page.getByLabel('New password').fill('secret-password')
          await reveal.check()
          t.equal(await page.getByLabel('New password').getAttribute('type'), 'text')
          await reveal.uncheck()
          t.equal(await page.getByLabel('New password').getAttribute('type'), 'password')
        }
        await page
          .getByRole('button', { name: /^Sign out of/ })
          .first()
          .click()
        await page.getByText('Signed out on that device.').waitFor()
        t.equal(page.url(), `${stack.issuer}/account`)
        await page.reload()
        t.equal(await page.getByText('Signed out on that device.').count(), 0, 'it is said once')
      }
    }
  )

  await t.test('the person signs in at the app as before', async t => {
    const page = await openPage(t, browser, stack)
    await signIn(page, stack)
    t.equal(await page.locator('#greeting').textContent(), 'erika')
  })

  await endStack(t, stack)
})

/** The address to which the desk sends people. */
function deskRequest (stack: Stack): string {
  return authorizationUrl(stack, {
    response_type: 'code',
    scope: 'openid profile customer:read customer:write customer:delete',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256'
  })
}

/** Signs in at the account page. */
async function enter (page: Page): Promise<void> {
  await page.getByLabel('User name').fill(erika.username)
  await page.getByLabel('Password', { exact: true }).fill(erika.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  await page.waitForLoadState()
}

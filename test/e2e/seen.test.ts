import type { Page } from 'playwright-core'
import t from 'tap'
import { accessibilityFindings, openPage, signIn, skip, startBrowser } from '../support/browser.js'
import { addPerson, authorizationUrl, erika } from '../support/person.js'
import { endStack, startStack } from '../support/stack.js'

await t.test('what people see of the consent and the account page', { skip }, async t => {
  const stack = await startStack(t)
  const browser = await startBrowser(t)
  await addPerson(stack, erika)
  const url = authorizationUrl(stack)

  await t.test('on a phone held sideways and at 200 % zoom the first thing seen is who asks for what', async t => {
    const page = await openPage(t, browser, stack, { viewport: { width: 640, height: 320 } })
    for (const hint of ['', 'ann']) {
      for (const viewport of [{ width: 640, height: 320 }, { width: 640, height: 400 }, { width: 320, height: 256 }]) {
        await page.setViewportSize(viewport)
        await page.goto(authorizationUrl(stack, { ...(hint && { login_hint: hint }) }))
        t.equal(await page.evaluate(() => window.scrollY), 0)
        t.equal(await page.evaluate(() => document.activeElement?.tagName), 'BODY')
        const { y, height } = (await page.getByRole('heading', { level: 1 }).boundingBox())!
        t.ok(y >= 0 && y + height < viewport.height, `${viewport.width} x ${viewport.height}: ${y} + ${height}`)
        const permission = (await page.locator('.permissions li').first().boundingBox())!
        t.ok(
          permission.y + permission.height <= viewport.height,
          `${viewport.width} x ${viewport.height}: ${permission.y} + ${permission.height}`
        )
      }
    }
  })

  await t.test('forced colours tell Allow from Deny by border and background', async t => {
    const page = await openPage(t, browser, stack, { forcedColors: 'active' })
    await page.goto(url)
    const looks = (name: string) => page.getByRole('button', { name }).evaluate(button => {
      const { borderTopWidth, backgroundColor } = getComputedStyle(button)
      return { borderTopWidth, backgroundColor }
    })
    const [allowed, denied] = [await looks('Allow'), await looks('Deny')]
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
        if (javaScriptEnabled) t.equal(await time.textContent(), inZone)
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

/** Signs in at the account page. */
async function enter (page: Page): Promise<void> {
  await page.getByLabel('User name').fill(erika.username)
  await page.getByLabel('Password').fill(erika.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await page.waitForLoadState()
}

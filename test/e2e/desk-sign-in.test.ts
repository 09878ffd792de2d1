import t from 'tap'
import type { Page } from 'playwright-core'
import { accessibilityFindings, allow, allowButton, openPage, signIn, skip } from '../support/browser.js'
import { startDesk } from '../support/desk.js'
import { endStack } from '../support/stack.js'

await t.test('a clerk stays signed in to the desk', { skip }, async t => {
  const { stack, page, resource, assertDocumented } = await startDesk(t, 54)
  const app = stack.address('desk')
  const context = page.context()
  const browser = context.browser()!
  const button = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true })
  const panel = (page: Page, name: string) => page.getByRole('dialog', { name })
  const signedIn = async (page: Page) => await page.locator('#greeting').getByText('erika').waitFor()
  const said = async (page: Page) => (await page.locator('#message').textContent())?.trim()
  /** Everything in the storages that a page can read. */
  const stored = async (page: Page) => await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  /** The prompts of the requests that a page sends to the authorization server. */
  const promptsOf = (page: Page) => {
    const prompts: Array<string | null> = []
    page.on('request', request => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/authorize') prompts.push(searchParams.get('prompt'))
    })
    return prompts
  }
  const prompts = promptsOf(page)

  await t.test('a reload keeps the user, the search, the open customer and what was typed, without a sign-in page in between', async t => {
    await page.addInitScript(() => {
      new MutationObserver(() => { if (document.getElementById('sign-in')) localStorage.setItem('flash', 'seen') })
        .observe(document, { childList: true, subtree: true })
    })
    await page.getByLabel('Search customers').fill('person 0')
    await page.waitForURL(`${app}/?q=person+0`)
    await page.locator('tr[data-id="3"] .open').click()
    await panel(page, 'Person 03').getByLabel('Address').fill('Typed')
    const entries = await page.evaluate(() => history.length)
    await page.reload()
    await panel(page, 'Person 03').waitFor()
    t.equal(await panel(page, 'Person 03').getByLabel('Address').inputValue(), 'Typed')
    t.equal(page.url(), `${app}/?q=person+0&customer=3`)
    t.same(prompts, ['none'])
    t.equal(await page.evaluate(() => history.length), entries, 'the redirect adds no entry')
    t.notMatch(await stored(page), /flash|eyJ|verifier|nonce|erika/)
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await signedIn(page)
  })

  await t.test('a second tab is signed in, and so is a duplicated one', async t => {
    const second = await context.newPage()
    await second.goto(`${app}/?customer=7`)
    await panel(second, 'Person 07').waitFor()
    await signedIn(second)
    const [duplicate] = await Promise.all([context.waitForEvent('page'), second.evaluate(() => { open(location.href) })])
    await panel(duplicate, 'Person 07').waitFor()
    t.equal(await said(duplicate), '')
    for (const tab of [second, duplicate]) await tab.close()
  })

  await t.test('Back and Forward after an ordinary sign-in end in the desk, signed in, at every step', async t => {
    const page = await openPage(t, browser, stack)
    await page.goto('about:blank')
    await signIn(page, stack)
    // The page goes on by itself, which Playwright's own goBack() reports as an error.
    const go = async (steps: number) => await page.evaluate(steps => {
      document.body.id = 'before'
      setTimeout(() => history.go(steps))
    }, steps)
    for (const step of [-1, -1, 1, 1]) {
      await go(step)
      await page.locator('body:not(#before) #greeting').waitFor()
      t.equal(page.url(), `${app}/`)
      t.equal(await said(page), '')
    }
    await go(-3)
    await page.waitForURL('about:blank')
  })

  await t.test('a response that this tab did not request is not used; the desk signs in by itself', async t => {
    const codes: string[] = []
    page.on('request', request => {
      if (request.url() === `${stack.issuer}/token`) codes.push(new URLSearchParams(request.postData() ?? '').get('code') ?? '')
    })
    for (const answer of [`?code=injected&state=unknown&iss=${stack.issuer}`, '?state=', '#access_token=injected&token_type=Bearer&expires_in=600']) {
      codes.length = 0
      await page.goto(stack.callback + answer)
      await signedIn(page)
      t.equal(page.url(), `${app}/`)
      t.equal(codes.length, 1)
      t.notMatch(codes, ['injected'])
      t.equal(await said(page), '')
    }
  })

  await t.test('an authorization server that responds to another request is asked once', async t => {
    prompts.length = 0
    const body = `<script>location.replace('${stack.callback}?code=x&state=other&iss=${stack.issuer}')</script>`
    await page.route(`${stack.issuer}/authorize?**`, async route => await route.fulfill({ contentType: 'text/html', body }))
    await page.reload()
    await page.getByRole('alert').getByText('This response doesn\'t belong to a sign-in from this tab. Sign in again.').waitFor()
    t.same(prompts, ['none'])
    await page.unroute(`${stack.issuer}/authorize?**`)
    await button(page).click()
    await signedIn(page)
  })

  await t.test('a link sent to a colleague opens the customer after sign-in, and a new visitor sees "Sign in" at once', async t => {
    const colleague = await openPage(t, browser, stack)
    const prompts = promptsOf(colleague)
    await colleague.goto(`${app}/?q=person&customer=54`)
    await button(colleague).waitFor()
    t.same(prompts, [])
    await button(colleague).click()
    await allow(colleague)
    await panel(colleague, 'Person 54').waitFor()
    t.equal(colleague.url(), `${app}/?q=person&customer=54`)
    t.same(prompts, [null])
  })

  await t.test('after a reload without a connection, the next one continues at the same place', async t => {
    await page.goto(`${app}/?q=person&customer=5`)
    await panel(page, 'Person 05').getByLabel('Address').fill('Typed')
    await context.setOffline(true)
    await t.rejects(page.reload(), /ERR_INTERNET_DISCONNECTED/)
    await context.setOffline(false)
    await page.goto(`${app}/?q=person&customer=5`)
    t.equal(await panel(page, 'Person 05').getByLabel('Address').inputValue(), 'Typed')
  })

  await t.test('while the authorization server is down, the page stays, says so, and keeps the place', async t => {
    await stack.end('auth-server', 'SIGTERM')
    await page.reload()
    await page.getByRole('alert').getByText('Can\'t reach the authorization server. Try again in a moment.').waitFor()
    t.equal(page.url(), `${app}/?q=person&customer=5`)
    t.same(await accessibilityFindings(page), [])
    await stack.start('auth-server')
    await button(page).click()
    t.equal(await panel(page, 'Person 05').getByLabel('Address').inputValue(), 'Typed')
  })

  await t.test('a refresh token that was revoked ends the session, and the next sign-in continues at the same place', async t => {
    const tab = await context.newPage()
    await tab.clock.install()
    await tab.goto(`${app}/?q=person&customer=6`)
    await panel(tab, 'Person 06').getByLabel('Address').fill('Typed')
    await tab.clock.fastForward('09:30')
    await tab.waitForResponse(`${stack.issuer}/token`)
    t.equal(await panel(tab, 'Person 06').count(), 1, 'the first token is renewed silently')
    await stack.register(['user', 'revoke', 'erika', 'desk'])
    await tab.clock.fastForward('09:30')
    await tab.getByRole('alert').getByText('Your session expired. Sign in again.').waitFor()
    t.equal(tab.url(), `${app}/?q=person&customer=6`)
    await tab.clock.setSystemTime(new Date())
    await button(tab).click()
    await allowButton(tab).click()
    t.equal(await panel(tab, 'Person 06').getByLabel('Address').inputValue(), 'Typed')
    await tab.close()
  })

  await t.test('a search that is under way when the session ends changes nothing any more', async t => {
    const tab = await openPage(t, browser, stack)
    const errors: string[] = []
    tab.on('pageerror', ({ message }) => { errors.push(message) })
    await signIn(tab, stack)
    await tab.locator('tr[data-id]').first().waitFor()
    const headers = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*', 'www-authenticate': 'Bearer error="invalid_token"' }
    await tab.route(`${resource}?*`, route => route.fulfill({ status: 401, headers }))
    await tab.getByLabel('Search customers').fill('person')
    await tab.getByRole('alert').getByText('Your session expired. Sign in again.').waitFor()
    await button(tab).waitFor()
    t.equal(tab.url(), `${app}/?q=person`)
    t.same(errors, [])
  })
  assertDocumented(t)
  await endStack(t, stack)
})

import t from 'tap'
import type { Page, Route } from 'playwright-core'
import { allow, allowButton, openPage, pressSignIn, signIn, signInToAccount, signOut, skip } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { startDesk } from '../support/desk.js'
import { endStack } from '../support/stack.js'

await t.test('sign-out of the desk', { skip }, async t => {
  const { stack, page, resource } = await startDesk(t, 9)
  const zoe = { username: 'zoe', password: 'Zoës geheimes Passwort' }
  await addPerson(stack, zoe)
  const app = stack.address('desk')
  const context = page.context()
  const browser = context.browser()!
  const button = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true })
  const panel = (page: Page, name: string) => page.getByRole('dialog', { name })
  const greeting = async (page: Page, name: string) => await page.locator('#greeting').getByText(name).waitFor()
  const stored = async (page: Page) => await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  const asked: string[] = []
  context.on('request', request => { if (request.url().startsWith(`${stack.issuer}/authorize?`)) asked.push(request.url()) })
  const draft = async (page: Page, id: number) => {
    await page.goto(`${app}/?q=person&customer=${id}`)
    await panel(page, `Person 0${id}`).getByLabel('Address').fill('Typed')
  }

  await t.test('after another person signed in at the authorization server, a reload shows that person, without the drafts of the first', async t => {
    await draft(page, 1)
    const account = await context.newPage()
    await account.goto(`${stack.issuer}/sign-out`)
    await account.getByRole('button', { name: 'Sign out' }).click()
    await signInToAccount(account, stack, zoe)
    await account.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
    await page.reload()
    // Zoë has not allowed it yet.
    await button(page).click()
    await allowButton(page).click()
    await greeting(page, 'zoe')
    t.equal(page.url(), `${app}/?q=person&customer=1`)
    t.equal(await panel(page, 'Person 01').getByLabel('Address').inputValue(), 'Somewhere')
    t.notMatch(await stored(page), 'Typed')
    await account.goto(`${stack.issuer}/sign-out`)
    await account.getByRole('button', { name: 'Sign out' }).click()
    await signInToAccount(account, stack)
    await account.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
    await page.reload()
    await greeting(page, 'erika')
    await account.close()
  })

  await t.test('after the session at the authorization server has ended, "Sign in" leads to the same place', async t => {
    await draft(page, 2)
    await stack.register(['user', 'sign-out', erika.username])
    asked.length = 0
    for (const prompts of [['none'], []]) {
      await page.reload()
      await button(page).waitFor()
      t.same(asked.splice(0).map(url => new URL(url).searchParams.get('prompt')), prompts, 'it is asked about once')
      t.equal((await page.locator('#message').textContent())?.trim(), '')
      t.equal(page.url(), `${app}/?q=person&customer=2`)
    }
    await button(page).click()
    await allow(page)
    t.equal(await panel(page, 'Person 02').getByLabel('Address').inputValue(), 'Typed')
  })

  await t.test('a sign-out in another tab signs this one out, and a reload stays signed out, without anything of the user', async t => {
    const other = await context.newPage()
    await other.goto(app)
    await signOut(other)
    await page.getByText('You signed out in another tab.').waitFor()
    await other.getByText('You\'re signed out of this app and').waitFor()
    asked.length = 0
    for (const tab of [page, other]) {
      await tab.reload()
      await button(tab).waitFor()
      t.equal(tab.url(), `${app}/`)
      t.equal(await stored(tab), '[{},{}]')
    }
    t.same(asked, [])
    await other.close()
  })

  await t.test('a sign-out in another tab discards what a tab has kept whose session expired', async t => {
    await signIn(page, stack)
    await draft(page, 4)
    await stack.register(['user', 'sign-out', erika.username])
    await page.reload()
    await button(page).waitFor()
    t.match(await stored(page), 'Typed')
    const other = await context.newPage()
    await signIn(other, stack)
    await signOut(other)
    await page.getByText('You signed out in another tab.').waitFor()
    await other.getByText('You\'re signed out of this app and').waitFor()
    t.equal(await stored(page), '[{},{}]')
    t.equal(page.url(), `${app}/`)
    await other.close()
  })

  await t.test('a sign-out in another tab wins over a silent sign-in that is in progress', async t => {
    await signIn(page, stack)
    const other = await context.newPage()
    await other.goto(app)
    await greeting(other, 'erika')
    let pause: (route: Route) => void = () => {}
    const paused = new Promise<Route>(resolve => { pause = resolve })
    await page.route(`${stack.issuer}/token`, pause, { times: 1 })
    await page.reload()
    const route = await paused
    await signOut(other)
    await other.getByText('You\'re signed out of this app and').waitFor()
    const revoked = page.waitForRequest(`${stack.issuer}/revoke`)
    await route.continue()
    await revoked
    await button(page).waitFor()
    t.equal(await page.locator('#greeting').count(), 0)
    t.equal(await stored(page), '[{},{}]')
    await other.close()
  })

  await t.test('with the implicit grant, a reload needs "Sign in", which leads to the same place; a sign-out ends it in each tab', async t => {
    const page = await openPage(t, browser, stack)
    await signIn(page, stack, 'implicit')
    const prompts: unknown[] = []
    page.on('request', request => { if (request.url().startsWith(`${stack.issuer}/authorize?`)) prompts.push(request.url()) })
    await page.goto(`${app}/?q=person&customer=3`)
    await page.getByText('a reload or a second tab needs a new sign-in.').waitFor()
    t.same(prompts, [])
    t.equal(page.url(), `${app}/?q=person&customer=3`)
    await button(page).click()
    await allowButton(page).click()
    await panel(page, 'Person 03').getByLabel('Address').fill('Typed')
    t.notMatch(await stored(page), /eyJ|signed-in/)
    const second = await page.context().newPage()
    await second.goto(app)
    await button(second).click()
    await allowButton(second).click()
    await signOut(second)
    await page.getByText('You signed out in another tab.').waitFor()
    t.equal(page.url(), `${app}/`)
    t.notMatch(await stored(page), 'Typed')
  })

  await t.test('with the implicit grant, the end of the token keeps the place and what was typed; Back never uses a response twice', async t => {
    const page = await openPage(t, browser, stack)
    await page.clock.install()
    await signIn(page, stack, 'implicit')
    await page.locator('tr[data-id="4"] .open').click()
    await panel(page, 'Person 04').getByLabel('Address').fill('Typed')
    await page.clock.fastForward('10:05')
    await page.getByRole('alert').getByText('Your session expired. Sign in again.').waitFor()
    t.equal(page.url(), `${app}/?customer=4`)
    await page.clock.setSystemTime(new Date())
    await button(page).click()
    await allowButton(page).click()
    t.equal(await panel(page, 'Person 04').getByLabel('Address').inputValue(), 'Typed')
    t.equal(page.url(), `${app}/?customer=4`)
    await page.goBack()
    // The consent page of the last sign-in: this grant asks each time.
    await allowButton(page).click()
    await page.getByRole('alert').getByText('This response doesn\'t belong to a sign-in from this tab.').waitFor()
    t.equal(page.url(), `${app}/`)
    await button(page).waitFor()
  })

  await t.test('a change that is under way is not repeated with the access of the next person', async t => {
    const page = await openPage(t, browser, stack)
    const enter = async (press: () => Promise<void>, person: typeof zoe) => {
      const [popup] = await Promise.all([page.waitForEvent('popup'), press()])
      const closed = popup.waitForEvent('close')
      await allow(popup, person)
      await closed
      await page.locator('#person').waitFor()
    }
    await enter(async () => await pressSignIn(page, stack, 'implicit', { popup: true }), erika)
    const pending: Route[] = []
    await page.route(`${resource}/5`, async route => {
      if (route.request().method() === 'PATCH') pending.push(route)
      else await route.continue()
    })
    await page.locator('tr[data-id="5"] .open').click()
    await panel(page, 'Person 05').getByLabel('Address').fill('Typed')
    await Promise.all([page.waitForRequest(request => request.method() === 'PATCH'), page.keyboard.press('Control+Enter')])
    // The panel stays open, so that nothing else can be pressed.
    await page.evaluate(() => {
      for (const dialog of document.querySelectorAll('dialog')) dialog.close()
    })
    await signOut(page)
    await page.context().clearCookies()
    await enter(async () => await button(page).click(), zoe)
    const read = page.waitForResponse(response => response.url().startsWith(`${resource}?`))
    await pending[0]!.fulfill({ status: 401, headers: { 'access-control-allow-origin': '*', 'www-authenticate': 'Bearer error="invalid_token"' } })
    await page.getByLabel('Search customers').fill('person 05')
    await read
    await page.getByText('1 customer', { exact: true }).waitFor()
    t.equal(pending.length, 1)
  })
  await endStack(t, stack)
})

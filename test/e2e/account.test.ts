import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { accessibilityFindings, allowButton, openPage, signIn, signOut, skip, startBrowser } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { endStack, startStack } from '../support/stack.js'

await t.test('a person takes back what an app was allowed, and the app gives it back', { skip }, async t => {
  const stack = await startStack(t)
  await addPerson(stack, erika)
  const browser = await startBrowser(t)
  const page = await openPage(t, browser, stack)

  for (const grant of ['implicit', 'code'] as const) {
    await t.test(`${grant}: the register refuses the token within ten seconds`, async t => {
      const calls: string[] = []
      page.on('request', request => { calls.push(request.headers().authorization ?? '') })
      if (grant === 'implicit') await signIn(page, stack, grant)
      else {
        await page.goto(stack.address('desk'))
        await page.getByLabel('Authorization code').check()
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await allowButton(page).click()
        await page.locator('#person').waitFor()
      }
      await page.getByText('No customers yet').waitFor()
      const authorization = calls.find(it => it.startsWith('Bearer '))!
      const read = async () =>
        (await fetch(`${stack.address('customer-service')}/rest/qa/customer/1`, { headers: { authorization } })).status
      t.equal(await read(), 404, 'the token is good')

      const opened = page.context().waitForEvent('page')
      await page.locator('#person').click()
      await page.getByRole('menuitem', { name: 'Your account' }).click()
      const account = await opened
      await account.waitForURL(`${stack.issuer}/account`)
      t.same(await accessibilityFindings(account), [])
      await account.getByRole('button', { name: /Remove access/ }).click()
      await account.getByText('Access removed.').waitFor()
      await account.getByText('No apps have access').waitFor()
      await account.close()
      const removed = Date.now()
      while (await read() !== 401 && Date.now() - removed < 15_000) await setTimeout(100)
      t.equal(await read(), 401)
      t.ok(Date.now() - removed < 10_000, `refused ${Date.now() - removed} ms after it was removed`)

      await page.getByLabel('Search customers').fill('anybody')
      await page.getByRole('alert').getByText('Sign in again.').waitFor()
      await t.resolves(page.getByRole('button', { name: 'Sign in', exact: true }).waitFor(), 'the app shows the way in')
      t.equal(await page.getByRole('timer').count(), 0)
    })
  }

  await t.test('with a code the app renews the token that has ended, and signing out ends what it was given', async t => {
    const page = await openPage(t, browser, stack)
    const given: Array<{ access_token: string, refresh_token: string }> = []
    await page.route(`${stack.issuer}/token`, async route => {
      const response = await route.fetch()
      given.push(await response.json())
      await route.fulfill({ response })
    })
    await page.clock.install()
    await signIn(page, stack)
    await page.locator('#new').click()
    await page.getByLabel('Name').fill('Half typed')
    await page.clock.fastForward('08:50')
    t.equal(given.length, 1)
    const renewed = page.waitForResponse(`${stack.issuer}/token`)
    await page.clock.fastForward('00:30')
    await renewed
    t.equal(given.length, 2, 'a minute ahead')
    await page.clock.fastForward('05:00')
    t.equal(await page.getByLabel('Name').inputValue(), 'Half typed', 'what is typed stays')
    await page.keyboard.press('Escape')
    await page.getByText('Kept the new customer as a draft.').waitFor()
    const lasted = await page.locator('.toast').evaluate(toast => {
      const stay = toast.getAnimations().find(animation => animation instanceof CSSAnimation && animation.animationName === 'stay')!
      stay.finish()
      return stay.effect!.getComputedTiming().duration
    })
    t.equal(lasted, 10_000)
    await page.locator('.toast').waitFor({ state: 'detached' })
    t.equal(await page.locator('#greeting').textContent(), 'erika')
    for (const { access_token: access, refresh_token: refresh } of given) {
      for (const secret of [
        access, refresh
      ]) stack.leakCheck.secret(secret)
    }

    await signOut(page)
    await page.getByText(`You're signed out of this app and ${new URL(stack.issuer).host}.`).waitFor()
    const form = { grant_type: 'refresh_token', refresh_token: given[1]!.refresh_token, client_id: 'desk' }
    const again = await fetch(`${stack.issuer}/token`, { method: 'POST', body: new URLSearchParams(form) })
    t.match(await again.json(), { error: 'invalid_grant' })
  })
  await endStack(t, stack)
})

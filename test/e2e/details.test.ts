import t from 'tap'
import { accessibilityFindings, openPage, signIn, signInToAccount, skip, startBrowser } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { endStack, startStack } from '../support/stack.js'

await t.test('a person changes their details at the account page', { skip }, async t => {
  const stack = await startStack(t)
  await addPerson(stack, erika)
  const browser = await startBrowser(t)
  for (const javaScriptEnabled of [true, false]) {
    const page = await openPage(t, browser, stack, { viewport: { width: 320, height: 640 }, javaScriptEnabled })
    const isWell = async (what: string) => {
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 640 })
        t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${what} at ${width} pixels`)
      }
      if (javaScriptEnabled) t.same(await accessibilityFindings(page), [], what)
    }
    await signInToAccount(page, stack)

    await page.getByText('Change your details').click()
    await page.getByLabel('Name', { exact: true }).fill('Erika Mustermann')
    await page.getByLabel('Email address').fill('erika@')
    await page.getByLabel('Picture').fill(`https://erika.example/${'without-a-space-'.repeat(10)}`)
    await isWell('the form')
    await page.getByLabel('Email address').press('Enter')

    await page.getByRole('alert').getByText('Your details weren\'t saved.').waitFor()
    t.equal(await page.evaluate(() => document.activeElement?.id), 'message', 'the page scrolls to the error')
    t.ok(await page.getByRole('alert').isVisible())
    t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Erika Mustermann', 'nothing is lost')
    t.ok(await page.getByText('The email address must have the form').isVisible())
    await isWell('the form with an error')
    await page.getByLabel('Email address').fill('erika@example.com')
    await page.getByRole('button', { name: 'Save details' }).click()

    await page.getByRole('status').getByText('Details saved.').waitFor()
    t.ok(await page.getByRole('definition').getByText('erika@example.com not verified').isVisible())
    await isWell('the page with details')
    // Without a mail server, this machine can read emails on a page.
    await page.goto(`${stack.issuer}/mails`)
    await page.getByRole('link', { name: /verify-email/ }).first().click()
    await page.getByText('The address erika@example.com was entered for the user erika.').waitFor()
    await isWell('the page that verifies an address')
    await page.getByLabel('Password', { exact: true }).fill(erika.password)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('sign in with erika@example.com').waitFor()
    await isWell('the page after it')
    await page.getByRole('link', { name: 'Go to your account' }).click()
    t.ok(await page.getByRole('definition').getByText('erika@example.com verified').isVisible())
    await page.getByText('Change your details').click()
    for (const field of ['Name', 'Email address', 'Picture']) await page.getByLabel(field, { exact: true }).clear()
    await page.getByRole('button', { name: 'Save details' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await isWell('the page for the code that permits removing a verified address')
    const mails = await page.context().newPage()
    await mails.goto(`${stack.issuer}/mails`)
    const code = /: (\d{8})/.exec(await mails.locator('body').innerText())?.[1] ?? ''
    await page.getByLabel('Code from the email').fill(code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('You haven\'t added any details yet.').waitFor()
  }
  // The person signs in at the app as before, and the leak check sees tokens.
  await signIn(await openPage(t, browser, stack), stack)
  await endStack(t, stack)
})

import t from 'tap'
import { check, openPage, signIn, signInToAccount, skip, startBrowser } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { endStack, startStack } from '../support/stack.js'

const NEW = 'thief battery staple'

await t.test('a person denies a change that an email announced, and sets a new password', { skip }, async t => {
  const stack = await startStack(t)
  await addPerson(stack, erika)
  const browser = await startBrowser(t)
  const page = await openPage(t, browser, stack)
  const openLink = async (subject: string, name: RegExp) => {
    await page.goto(`${stack.issuer}/mails`)
    await page.getByText(subject).first().waitFor()
    await page.getByRole('link', { name }).first().click()
  }
  await signInToAccount(page, stack)
  await page.getByText('Change your details').click()
  await page.getByLabel('Email address').fill('erika@example.com')
  await page.getByRole('button', { name: 'Save details' }).click()
  await openLink('Verify your email address', /verify-email/)
  await page.getByLabel('Password', { exact: true }).fill(erika.password)
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('link', { name: 'Go to your account' }).click()
  await page.getByLabel('Current password').fill(erika.password)
  await page.getByLabel('New password').fill(NEW)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('status').getByText('Password changed.').waitFor()

  await openLink('Your password was changed', /not-me/)
  await page.getByText('If that wasn\'t you, press the button.').waitFor()
  await check(t, page, 'the page of the link')
  const link = page.url()
  await page.getByRole('button', { name: 'This wasn\'t me' }).click()
  await page.getByRole('heading', { name: 'Everyone is signed out' }).waitFor()
  await check(t, page, 'the page after it')
  await page.goto(`${stack.issuer}/account`)
  await page.getByRole('heading', { name: 'Sign in to your account' }).waitFor()
  await page.goto(link)
  await page.getByRole('heading', { name: 'This link no longer works.' }).waitFor()
  await check(t, page, 'the link again')

  await openLink('Set a new password', /set-password/)
  await page.getByLabel('New password').fill(erika.password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('heading', { name: 'Password set' }).waitFor()
  await signInToAccount(page, stack)
  await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  // So that the leak check sees tokens.
  await signIn(await openPage(t, browser, stack), stack)
  await endStack(t, stack)
})

import type { Page } from 'playwright-core'
import t from 'tap'
import { check, openPage, signInToAccount, skip, startBrowser } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { startStack } from '../support/stack.js'

/** Adds a virtual authenticator to a page, as a platform has it (WebAuthn Level 3 §11). */
async function addAuthenticator (page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true
  } as const
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  return { credentials: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials }
}

await t.test('a passkey is added, is the second factor of a sign-in, and is removed', { skip }, async t => {
  const stack = await startStack(t)
  const browser = await startBrowser(t)
  await addPerson(stack, erika)
  const page = await openPage(t, browser, stack)
  const authenticator = await addAuthenticator(page)
  const password = async () => await page.getByLabel('Password', { exact: true }).fill(erika.password)
  await signInToAccount(page, stack)
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await check(t, page, 'none')
  await password()
  await page.getByLabel('Name of the new passkey').fill('Laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Create the passkey' }).waitFor()
  await check(t, page, 'creation')
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await page.getByText('Two-step sign-in is on.').waitFor()
  t.equal((await authenticator.credentials()).length, 1)
  t.match((await authenticator.credentials())[0], { rpId: new URL(stack.issuer).hostname, isResidentCredential: true })
  await page.getByRole('link', { name: 'I\'ve saved my codes' }).click()
  await page.getByRole('heading', { name: 'Laptop' }).waitFor()
  await check(t, page, 'one')

  await page.goto(`${stack.issuer}/account`)
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await signInToAccount(page, stack)
  await page.getByRole('button', { name: 'Use your passkey' }).waitFor()
  await check(t, page, 'second factor')
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await page.getByRole('link', { name: 'Manage passkeys' }).click()

  await password()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await page.getByRole('alert').getByText('No passkey was created.').waitFor()
  await check(t, page, 'known already')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await password()
  await page.getByLabel('Passkey to remove').selectOption('Laptop')
  await page.getByRole('button', { name: 'Remove the passkey' }).click()
  await page.getByText('Passkey removed.').waitFor()
  await page.getByText('any passkeys').waitFor()
  await stack.stop()
  t.same(stack.leakCheck.findings(), [])
})

await t.test('without a script, a page says that passkeys need one, and a recovery code is the second factor', { skip }, async t => {
  const stack = await startStack(t)
  const browser = await startBrowser(t)
  await addPerson(stack, erika)
  const page = await openPage(t, browser, stack)
  await addAuthenticator(page)
  await signInToAccount(page, stack)
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByLabel('Password', { exact: true }).fill(erika.password)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await page.getByText('Two-step sign-in is on.').waitFor()
  const codes = await page.locator('.codes code').allInnerTexts()
  for (const code of codes) stack.leakCheck.secret(code)

  const plain = await openPage(t, browser, stack, { javaScriptEnabled: false })
  await signInToAccount(plain, stack)
  await plain.getByText('Passkeys need JavaScript').waitFor()
  t.equal(await plain.getByRole('button', { name: 'Use your passkey' }).count(), 0)
  await plain.getByLabel('Code').fill(codes[0]!)
  await plain.getByRole('button', { name: 'Continue' }).click()
  await plain.getByRole('link', { name: 'Manage passkeys' }).click()
  await plain.getByRole('heading', { name: 'Your passkeys' }).waitFor()
  await stack.stop()
  t.same(stack.leakCheck.findings(), [])
})

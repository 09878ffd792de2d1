import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { allowButton, check, openPage, pressSignIn, signInToAccount, skip, startBrowser } from '../support/browser.js'
import { addAuthenticator } from '../support/e2e/authenticator.js'
import { recoveryCodes } from '../support/e2e/factors.js'
import { addPerson, erika } from '../support/person.js'
import { endStack, startStack, type Stack } from '../support/stack.js'

const password = async (page: Page) => await page.getByLabel('Password', { exact: true }).fill(erika.password)

const signOut = async (page: Page, { issuer }: Stack) => {
  await page.goto(`${issuer}/account`)
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await page.getByRole('heading', { name: 'You\'re signed out' }).waitFor()
}

/** Adds a passkey on the page of passkeys. Returns the recovery codes, if it was the first factor. */
async function addPasskey (page: Page, stack: Stack): Promise<string[]> {
  await password(page)
  await page.getByLabel('Name of the new passkey').fill('Laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await page.getByText('Two-step sign-in is on.').waitFor()
  return await recoveryCodes(page, stack)
}

await t.test('passkeys, with a virtual authenticator', { skip }, async t => {
  const stack = await startStack(t)
  const browser = await startBrowser(t)
  /** A new user on the page of passkeys, and the authenticator of that page. */
  const begin = async (t: Test, username: string) => {
    const person = { ...erika, username }
    await addPerson(stack, person)
    const page = await openPage(t, browser, stack)
    const authenticator = await addAuthenticator(page)
    await signInToAccount(page, stack, person)
    await page.getByRole('link', { name: 'Add a passkey' }).click()
    return { person, page, authenticator }
  }

  await t.test('a passkey is added, renamed, is the second factor of a sign-in, and is removed', async t => {
    const { person, page, authenticator } = await begin(t, 'erika-second')
    await check(t, page, 'none')
    await password(page)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Create the passkey' }).waitFor()
    await check(t, page, 'creation')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await addPasskey(page, stack)
    t.equal((await authenticator.credentials()).length, 1)
    t.match((await authenticator.credentials())[0], { rpId: new URL(stack.issuer).hostname, isResidentCredential: true })
    await page.getByRole('link', { name: 'I\'ve saved my codes' }).click()
    await page.getByRole('heading', { name: 'Laptop' }).waitFor()
    await page.getByText('Rename Laptop').click()
    await check(t, page, 'one')
    await page.getByLabel('New name').fill('Work laptop')
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByText('Passkey renamed.').waitFor()
    await page.getByRole('heading', { name: 'Work laptop' }).waitFor()

    await authenticator.touch(false)
    await signOut(page, stack)
    await signInToAccount(page, stack, person)
    await page.getByRole('button', { name: 'Use your passkey' }).waitFor()
    await check(t, page, 'second factor')
    await authenticator.touch(true)
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await page.getByRole('link', { name: 'Manage passkeys' }).click()

    await password(page)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Create the passkey' }).click()
    await page.getByRole('alert').getByText('No passkey was created.').waitFor()
    await check(t, page, 'known already')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await password(page)
    await page.getByLabel('Passkey to remove').selectOption('Work laptop')
    await page.getByRole('button', { name: 'Remove the passkey' }).click()
    await page.getByText('Passkey removed.').waitFor()
    await page.getByText('any passkeys').waitFor()
  })

  await t.test('a passkey signs in instead of the password: by autofill, by the button, and at an app that asks', async t => {
    const { page, authenticator } = await begin(t, 'erika-instead')
    await addPasskey(page, stack)

    await signOut(page, stack)
    await page.goto(`${stack.issuer}/account`)
    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()

    await authenticator.touch(false)
    await signOut(page, stack)
    await page.goto(`${stack.issuer}/account`)
    await check(t, page, 'sign-in')
    await authenticator.touch(true)
    await authenticator.recognize(false)
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    await button.click()
    await page.getByRole('alert').getByText('Your passkey wasn\'t used.').waitFor()
    await check(t, page, 'not used')
    await authenticator.recognize(true)
    await button.click()
    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()

    await signOut(page, stack)
    await pressSignIn(page, stack)
    await page.getByText('Your passkey is ready.').waitFor()
    await check(t, page, 'consent')
    await allowButton(page).click()
    await page.locator('#person').waitFor()
  })

  await t.test('a browser that can add a passkey without asking does so after the password and the second factor', async t => {
    const { person, page: first } = await begin(t, 'erika-upgrade')
    const [code] = await addPasskey(first, stack)

    const page = await openPage(t, browser, stack)
    const authenticator = await addAuthenticator(page)
    // Stands in for a password manager: headless Chromium has none.
    await page.addInitScript(() => {
      const { credentials } = navigator
      const create = credentials.create.bind(credentials)
      Object.assign(PublicKeyCredential, { getClientCapabilities: async () => ({ conditionalCreate: true }) })
      credentials.create = async ({ publicKey }: CredentialCreationOptions = {}) => await create({ publicKey: publicKey! })
    })
    await signInToAccount(page, stack, person)
    await page.getByLabel('Code').fill(code!)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('A passkey was saved in this browser.').waitFor()
    t.equal((await authenticator.credentials()).length, 1)
    await signOut(page, stack)
    await page.goto(`${stack.issuer}/account`)
    await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
  })

  await t.test('without a script, a page says that passkeys need one, and a recovery code is the second factor', async t => {
    const { person, page } = await begin(t, 'erika-plain')
    const codes = await addPasskey(page, stack)

    const plain = await openPage(t, browser, stack, { javaScriptEnabled: false })
    await plain.goto(`${stack.issuer}/account`)
    t.equal(await plain.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0)
    await signInToAccount(plain, stack, person)
    await plain.getByText('Passkeys need JavaScript').waitFor()
    t.equal(await plain.getByRole('button', { name: 'Use your passkey' }).count(), 0)
    await plain.getByLabel('Code').fill(codes[0]!)
    await plain.getByRole('button', { name: 'Continue' }).click()
    await plain.getByRole('link', { name: 'Manage passkeys' }).click()
    await plain.getByRole('heading', { name: 'Your passkeys' }).waitFor()
  })

  await endStack(t, stack)
})

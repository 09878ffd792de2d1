import type { Page } from 'playwright-core'
import t from 'tap'
import { allowButton, check, openPage, pressSignIn, signInToAccount, skip, startBrowser } from '../support/browser.js'
import { addPerson, authorizationUrl, erika } from '../support/person.js'
import { endStack, startStack } from '../support/stack.js'

const TERMS = { TERMS_URL: 'https://example.com/terms', TERMS_VERSION: '2026-11' }
const PASSWORD = 'battery staple'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

await t.test('people create an account on the way to an app, in this browser and in another one', { skip }, async t => {
  const stack = await startStack(t, undefined, { SIGN_UP: 'open', ...TERMS })
  await addPerson(stack, erika)
  const browser = await startBrowser(t)
  const page = await openPage(t, browser, stack)
  /** Requests a link, and returns its address. */
  const request = async (page: Page, email: string) => {
    await page.getByLabel('Email address').fill(email)
    await button(page, 'Send email').click()
    await page.getByText(email).waitFor()
    const mails = await openPage(t, browser, stack)
    const link = mails.locator('section.mail').filter({ hasText: email }).getByRole('link', { name: /create-account/ }).first()
    for (await mails.goto(`${stack.issuer}/mails`); await link.count() === 0; await mails.reload()) await mails.waitForTimeout(100)
    return await link.getAttribute('href') ?? ''
  }
  const create = async (page: Page, username: string) => {
    await page.getByLabel('User name').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('I accept the terms of use').check()
    await button(page, 'Create account').click()
  }

  await pressSignIn(page, stack)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByRole('heading', { name: 'Create an account' }).waitFor()
  await check(t, page, 'the form')
  const link = await request(page, 'ivy@example.com')
  await check(t, page, 'the page after it')
  await page.goto(link)
  await check(t, page, 'the page of the link')
  t.equal(await page.getByLabel('User name').inputValue(), 'ivy')
  await create(page, erika.username)
  await page.getByRole('alert').getByText('This user name is taken.').waitFor()
  await check(t, page, 'a taken user name')
  await create(page, 'ivy')
  await allowButton(page).click()
  await page.locator('#person').waitFor()

  await page.goto(link)
  await page.getByRole('heading', { name: 'This link has expired, or was used before.' }).waitFor()
  await check(t, page, 'the link again')
  const other = await openPage(t, browser, stack)
  await signInToAccount(other, stack, { ...erika, username: 'ivy@example.com', password: PASSWORD })
  await other.getByRole('heading', { name: 'Your account', exact: true }).waitFor()

  const [phone, plain] = [await openPage(t, browser, stack), await openPage(t, browser, stack, { javaScriptEnabled: false })]
  await phone.goto(authorizationUrl(stack, { prompt: 'create' }))
  const second = await request(phone, 'joe@example.com')
  await plain.goto(second)
  await create(plain, 'joe')
  await plain.getByText('go back to where you started, and sign in').waitFor()
  await endStack(t, stack)
})

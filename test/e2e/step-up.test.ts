import { readFile } from 'node:fs/promises'
import { totpCode } from '@frontdesk/test-kit/totp'
import type { Page, Route } from 'playwright-core'
import t from 'tap'
import { accessibilityFindings, openPage, signIn, signInToAccount, skip, startBrowser } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { endStack, startStack, type Stack } from '../support/stack.js'

await t.test('an export that needs a second factor in the desk', { skip }, async t => {
  const stack = await startStack(t, undefined, { STEP_UP_ACR: 'urn:frontdesk:acr:mfa', STEP_UP_MAX_AGE: '300' })
  await addPerson(stack, erika)
  const browser = await startBrowser(t)
  const page = await openPage(t, browser, stack)
  await signIn(page, stack)
  const asked: URLSearchParams[] = []
  page.on('request', request => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/authorize') asked.push(searchParams)
  })
  const exportAll = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Export all as CSV' }).click()
  }
  const question = page.getByRole('dialog', { name: 'Export all customers?' })
  const confirm = async () => await question.getByRole('button', { name: 'Export' }).click()
  /** As the service does when the sign-in is too old or too weak. */
  const refuse = async (route: Route) => await route.fulfill({
    status: 401,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': '*',
      'www-authenticate': 'Bearer error="insufficient_user_authentication", acr_values="urn:frontdesk:acr:mfa", max_age="300"'
    }
  })
  const waiting = async () => await page.evaluate(() => sessionStorage.getItem('frontdesk.operation'))

  await t.test('a user without one is told so after one sign-in, and stays signed in', async t => {
    await exportAll()
    await confirm()
    await page.getByText('Export failed. This needs a recent two-step sign-in.').waitFor()
    t.same(asked.map(it => [it.get('acr_values'), it.get('max_age')]), [['urn:frontdesk:acr:mfa phr', '300']])
    await page.locator('#person').waitFor()
  })

  await t.test('a user with one is asked for the code, and gets the file', async t => {
    const [code] = await setUpTwoSteps(await openPage(t, browser, stack), stack)
    await exportAll()
    await page.getByLabel('Code').fill(code!)
    await page.getByRole('button', { name: 'Continue' }).click()
    await question.waitFor()
    t.same(await accessibilityFindings(page), [])
    t.equal(await waiting(), null, 'it is asked about once')
    const [saved] = await Promise.all([page.waitForEvent('download'), confirm()])
    t.match(await readFile(await saved.path(), 'utf8'), '\ufeffcustomerid,')
    await page.getByText('Exported all customers.').waitFor()
    t.equal(asked.length, 2)
    await Promise.all([page.waitForEvent('download'), exportAll()])
    t.equal(asked.length, 2, 'the next export needs no sign-in')
  })

  await t.test('all data about one customer is exported, and erased after the sign-in, the second question and not before', async t => {
    await page.locator('#new').click()
    for (const [label, value] of [['Number', '7'], ['Name', 'Kim'], ['Age', '30'], ['Address', 'Here']] as const) {
      await page.getByRole('dialog').getByLabel(label, { exact: true }).fill(value)
    }
    await page.getByRole('button', { name: 'Add customer' }).click()
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Actions for Kim' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    const erasure = page.getByRole('dialog', { name: 'Erase Kim?' })
    const erase = async () => await erasure.getByRole('button', { name: 'Erase' }).click()
    const [saved] = await Promise.all([page.waitForEvent('download'), choose('Export all data as JSON')])
    t.match(JSON.parse(await readFile(await saved.path(), 'utf8')), { customerid: 7, customer: { customername: 'Kim' }, history: [{ kind: 'registered' }] })
    // As if the sign-in were too old.
    await page.route(/\/7\/erase/, refuse, { times: 1 })
    await choose('Erase…')
    await erasure.getByText('You can\'t undo this.').waitFor()
    t.same(await accessibilityFindings(page), [])
    await page.keyboard.press('Enter')
    t.equal(asked.length, 2, 'Enter keeps')
    await choose('Erase…')
    await Promise.all([page.waitForRequest('**/authorize?*'), erase()])
    await erasure.getByText('You\'ve signed in again.').waitFor()
    t.match(await waiting(), null)
    await page.locator('tr[data-id="7"]').waitFor()
    await erase()
    await page.getByText('Erased Kim.').waitFor()
    await page.getByText('No customers yet').waitFor()
  })

  await t.test('an operation whose sign-in was interrupted is discarded by the next sign-in', async t => {
    // The page stays.
    await page.route('**/*acr_values*', route => route.fulfill({ status: 204 }))
    await page.route(/\/customer\/export/, refuse)
    await Promise.all([page.waitForRequest('**/*acr_values*'), exportAll()])
    t.match(await waiting(), '"export-all"')
    await page.goto(stack.address('desk'))
    await page.getByText('No customers yet').waitFor()
    t.equal(await question.count(), 0)
    t.equal(await waiting(), null)
  })
  await endStack(t, stack)
})

/** Sets up two-step sign-in for Erika, in another browser. Returns the recovery codes. */
async function setUpTwoSteps (page: Page, stack: Stack): Promise<string[]> {
  await signInToAccount(page, stack)
  await page.getByRole('link', { name: 'Set up two-step sign-in' }).click()
  await page.getByLabel('Password', { exact: true }).fill(erika.password)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const secret = await page.locator('.key').innerText()
  stack.leakCheck.secret(secret.replaceAll(' ', ''))
  await page.getByLabel('6-digit code').fill(totpCode(secret))
  await page.getByRole('button', { name: 'Confirm' }).click()
  const codes = page.locator('.codes code')
  await codes.first().waitFor()
  return await codes.allInnerTexts()
}

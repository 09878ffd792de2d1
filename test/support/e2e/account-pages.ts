import { totpCode } from '@frontdesk/test-kit/totp'
import type { Page } from 'playwright-core'
import { erika, type Credentials } from '../person.js'
import type { Stack } from '../stack.js'

/** Opens the pages of the account area one after the other, in whatever language they are. @param look called on each of them */
export async function visitAccountPages (
  page: Page, { issuer }: Pick<Stack, 'issuer'>, look: (name: string) => Promise<void>, { username, password }: Credentials = erika
): Promise<void> {
  const press = async (decision: string) => await page.locator(`button[value=${decision}]`).first().click()
  const enterPassword = async () => await page.locator('#password').fill(password)
  await page.goto(`${issuer}/account`)
  await look('sign-in')
  await page.locator('#username').fill(username)
  await enterPassword()
  await press('sign-in')
  await page.locator('#details').waitFor()
  await page.locator('summary').click()
  await look('account')
  await page.locator('#details-picture').fill('http://example.com')
  await press('details')
  await page.locator('#picture-fault').waitFor()
  await look('invalid details')
  await page.goto(`${issuer}/account/two-step`)
  await look('two-step sign-in, off')
  await enterPassword()
  await press('set-up')
  await page.locator('.qr').waitFor()
  await look('set-up of an app')
  const key = await page.locator('.key').innerText()
  await page.locator('#code').fill('0')
  await press('confirm')
  await page.getByRole('alert').waitFor()
  await page.locator('#code').fill(totpCode(key.replaceAll(' ', '')))
  await press('confirm')
  await page.locator('.codes').waitFor()
  await look('recovery codes')
  await page.goto(`${issuer}/account/two-step`)
  await look('two-step sign-in, on')
  await page.goto(`${issuer}/account/passkeys`)
  await look('passkeys')
  await enterPassword()
  await press('add')
  await page.locator('[data-passkey]').waitFor({ state: 'attached' })
  await look('creation of a passkey')
  await page.goto(`${issuer}/account`)
  await press('sign-out')
  await page.goto(`${issuer}/account`)
  await page.locator('#username').fill(username)
  await enterPassword()
  await press('sign-in')
  await page.locator('[name=trust]').waitFor()
  await look('page for the code')
}

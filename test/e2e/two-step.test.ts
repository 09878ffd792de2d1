import { totpCode } from '@frontdesk/test-kit/totp'
import type { Page } from 'playwright-core'
import t from 'tap'
import { check, openPage, signInToAccount, skip, startBrowser } from '../support/browser.js'
import { recoveryCodes } from '../support/e2e/factors.js'
import { addPerson, erika } from '../support/person.js'
import { startStack } from '../support/stack.js'

await t.test('two-step sign-in is set up at the account page and used in another browser, with scripts and without', { skip }, async t => {
  const stack = await startStack(t, ['auth-server'])
  const browser = await startBrowser(t)
  const password = async (page: Page) => await page.getByLabel('Password', { exact: true }).fill(erika.password)

  for (const javaScriptEnabled of [true, false]) {
    await t.test(javaScriptEnabled ? 'with scripts' : 'without', async t => {
      const person = { ...erika, username: `erika-${javaScriptEnabled}` }
      await addPerson(stack, person)
      const page = await openPage(t, browser, stack, { javaScriptEnabled })
      const look = async (name: string) => { if (javaScriptEnabled) await check(t, page, name) }
      await signInToAccount(page, stack, person)
      await page.getByRole('link', { name: 'Set up two-step sign-in' }).click()
      await look('off')

      await password(page)
      await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
      await page.getByRole('img', { name: 'QR code' }).waitFor()
      await look('set-up')
      const secret = await page.locator('.key').innerText()
      stack.leakCheck.secret(secret.replaceAll(' ', ''))
      const box = (await page.getByRole('img', { name: 'QR code' }).locator('svg').boundingBox())!
      t.ok(box.width > 150 && Math.abs(box.width - box.height) < 1, `${box.width} × ${box.height}`)
      await page.getByLabel('6-digit code').fill('000000')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByRole('alert').getByText('That code isn\'t right.').waitFor()
      await look('wrong code')
      await page.getByLabel('6-digit code').fill(totpCode(secret))
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('Two-step sign-in is on.').waitFor()
      await look('recovery codes')
      const codes = await recoveryCodes(page, stack)
      t.equal(codes.length, 10)
      t.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), javaScriptEnabled)
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Save as a file' }).click()
      t.equal((await download).suggestedFilename(), 'recovery-codes.txt')

      await page.getByRole('link', { name: 'I\'ve saved my codes' }).click()
      await page.getByText('unused recovery codes').waitFor()
      await look('on')

      const other = await openPage(t, browser, stack, { javaScriptEnabled })
      await signInToAccount(other, stack, person)
      await other.getByRole('heading', { name: 'Enter your code' }).waitFor()
      if (javaScriptEnabled) await check(t, other, 'page for the code')
      await other.getByLabel('Code').fill('000000')
      await other.getByRole('button', { name: 'Continue' }).click()
      await other.getByRole('alert').getByText('That code isn\'t right.').waitFor()
      if (javaScriptEnabled) await check(t, other, 'page after a wrong code')
      await other.getByLabel('Code').fill(codes[0]!)
      await other.getByLabel('Trust this browser').check()
      await other.getByRole('button', { name: 'Continue' }).click()
      await other.getByRole('heading', { name: 'Your account', exact: true }).waitFor()

      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await page.getByRole('button', { name: 'Turn off' }).click()
      await page.getByRole('alert').getByText('Wrong password.').waitFor()
      await look('wrong password')
      await password(page)
      await page.getByRole('button', { name: 'Turn off' }).click()
      await page.getByText('Turned off two-step sign-in.').waitFor()
    })
  }
  await stack.stop()
  t.same(stack.leakCheck.findings(), [])
})

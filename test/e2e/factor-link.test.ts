import { totpCode } from '@frontdesk/test-kit/totp'
import t from 'tap'
import { check, openPage, skip, startBrowser, WIDE } from '../support/browser.js'
import { recoveryCodes } from '../support/e2e/factors.js'
import { addPerson, erika } from '../support/person.js'
import { startStack } from '../support/stack.js'

const root = { username: 'root', password: 'Rosas geheimes Passwort' }

await t.test('an administrator hands over a set-up link, with which a user turns on two-step sign-in, with scripts and without', { skip }, async t => {
  const stack = await startStack(t, ['auth-server'], { ADMIN: 'true' })
  stack.leakCheck.secret(root.password)
  await stack.register(['user', 'add', root.username, '--role', 'administrator'], `${root.password}\n`)
  const browser = await startBrowser(t)

  for (const javaScriptEnabled of [true, false]) {
    await t.test(javaScriptEnabled ? 'with scripts' : 'without', async t => {
      const person = { ...erika, username: `erika-${javaScriptEnabled}` }
      await addPerson(stack, person)
      const console = await openPage(t, browser, stack, { viewport: WIDE, javaScriptEnabled })
      const page = await openPage(t, browser, stack, { viewport: WIDE, javaScriptEnabled })
      const look = async (at: typeof page, name: string) => { if (javaScriptEnabled) await check(t, at, name) }

      await console.goto(`${stack.issuer}/admin/people`)
      await console.getByLabel('User name').fill(root.username)
      await console.getByLabel('Password', { exact: true }).fill(root.password)
      await console.getByRole('button', { name: 'Sign in', exact: true }).click()
      await console.getByRole('link', { name: person.username }).click()
      await look(console, 'user')
      await console.getByRole('button', { name: 'Set-up link' }).click()
      await console.getByText('It is not shown again.').waitFor()
      await look(console, 'new link')
      const link = (await console.locator('pre.secret').textContent())!
      stack.leakCheck.secret(link.split('link=')[1]!)

      await page.goto(link)
      await page.getByText(`For the user name ${person.username}`).waitFor()
      await look(page, 'link')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('alert').getByText('Wrong password.').waitFor()
      await look(page, 'wrong password')
      await page.getByLabel('Password', { exact: true }).fill(person.password)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('img', { name: 'QR code' }).waitFor()
      await look(page, 'set-up')
      const secret = await page.locator('.key').innerText()
      stack.leakCheck.secret(secret.replaceAll(' ', ''))
      await page.getByLabel('6-digit code').fill(totpCode(secret))
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByText('Two-step sign-in is on.').waitFor()
      await look(page, 'recovery codes')
      await recoveryCodes(page, stack)
      await page.getByRole('button', { name: 'I\'ve saved my codes' }).click()
      await page.getByRole('heading', { name: 'Your account', exact: true }).waitFor()
      await page.getByRole('status').getByText('You can now sign in to your apps.').waitFor()

      await page.goto(link)
      await page.getByText('Two-step sign-in is already on for this account').waitFor()
      await look(page, 'used link')
      await console.getByRole('link', { name: 'Done' }).click()
      await console.getByRole('button', { name: 'Turn off two-step sign-in' }).waitFor()
      t.equal(await console.getByRole('button', { name: 'Set-up link' }).count(), 0)
    })
  }
  await stack.stop()
  t.same(stack.leakCheck.findings(), [])
})

import { join } from 'node:path'
import t from 'tap'
import { accessibilityFindings, allow, openPage, skip, startBrowser } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { startStack } from '../support/stack.js'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

await t.test('a device is connected on a phone, in a real Chromium', { skip }, async t => {
  const stack = await startStack(t, ['auth-server'])
  const browser = await startBrowser(t)
  await addPerson(stack, erika)
  await stack.register(['client', 'add', 'tv', '--name', 'A television', '--grant', GRANT])
  const send = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(`${stack.issuer}${path}`, { method: 'POST', body: new URLSearchParams({ client_id: 'tv', ...fields }) })
    // as: what the device grant answers.
    return await response.json() as Record<'device_code' | 'user_code' | 'verification_uri' | 'verification_uri_complete' | 'error' | 'access_token', string>
  }
  const ask = async () => {
    const codes = await send('/device_authorization', { scope: 'customer:read customer:write' })
    stack.leakCheck.secret(codes.device_code)
    return { ...codes, poll: async () => await send('/token', { grant_type: GRANT, device_code: codes.device_code }) }
  }
  /** Looks at a page, and keeps a picture of it in the folder that SCREENSHOTS names. */
  const look = async (page: Awaited<ReturnType<typeof openPage>>, name: string) => {
    t.same(await accessibilityFindings(page), [], name)
    const { wide, inner } = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, inner: innerWidth }))
    t.ok(wide <= inner, `${name}: ${wide} px wide`)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}-${colorScheme}.png`), fullPage: true })
    }
  }
  const phone = { viewport: { width: 320, height: 640 }, javaScriptEnabled: true }

  await t.test('by typing the code, with sign-in and consent on one page', async t => {
    const page = await openPage(t, browser, stack, phone)
    const { verification_uri: address, user_code: userCode, poll } = await ask()
    await page.goto(address)
    await look(page, 'device')
    await page.getByLabel('Code').fill('bbbb bbbb')
    await page.getByLabel('Code').press('Enter')
    await page.getByText('This code is wrong, has expired or was already used.').waitFor()
    await look(page, 'device-wrong')
    await page.getByLabel('Code').fill(userCode.toLowerCase().replace('-', ' '))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText(userCode).waitFor()
    await look(page, 'device-consent')
    t.equal((await poll()).error, 'authorization_pending')
    await allow(page)
    await page.getByText('You\'re connected.').waitFor()
    await look(page, 'device-allowed')
    stack.leakCheck.secret((await poll()).access_token)

    const next = await ask()
    await page.goto(next.verification_uri_complete)
    t.equal(await page.getByLabel('Code').inputValue(), next.user_code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('You\'re signed in as erika').waitFor()
    await look(page, 'device-session')
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('The device has no access.').waitFor()
    await look(page, 'device-denied')
    t.equal((await next.poll()).error, 'access_denied')
  })

  await t.test('without JavaScript', async t => {
    const page = await openPage(t, browser, stack, { ...phone, javaScriptEnabled: false })
    const { verification_uri_complete: address, poll } = await ask()
    await page.goto(address)
    await page.getByRole('button', { name: 'Continue' }).click()
    await allow(page)
    await page.getByText('You\'re connected.').waitFor()
    const { access_token: token } = await poll()
    t.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
    stack.leakCheck.secret(token)
  })
  t.same(await stack.stop(), [0])
  t.same(stack.leakCheck.findings(), [])
})

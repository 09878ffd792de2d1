import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { accessibilityFindings, allow, allowButton, openPage, skip, startBrowser } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { endStack, startStack } from '../support/stack.js'

await t.test('the API reference at /docs, as npm start serves it', { skip }, async t => {
  const stack = await startStack(t, ['auth-server', 'customer-service'])
  await addPerson(stack, erika)
  const page = await openPage(t, await startBrowser(t), stack, { viewport: { width: 1280, height: 900 } })
  const origins = new Set<string>()
  const refused: string[] = []
  page.on('request', request => { origins.add(new URL(request.url()).origin) })
  page.on('console', message => { if (/Content Security Policy|Refused to/.test(message.text())) refused.push(message.text()) })
  await page.goto(`${stack.address('customer-service')}/docs`)
  const dialog = page.getByRole('dialog', { name: 'Authorize' })
  const flow = (name: string) => dialog.locator('.auth-container').filter({ hasText: name })

  await t.test('with an operation and the sign-in open it is accessible in light and dark, and fits 320 pixels', async t => {
    await open(page, 'patch /rest/qa/customer/{customerid}')
    const samples = page.locator('.samples')
    t.same(await samples.locator('summary').allInnerTexts(), ['curl', 'JavaScript', 'Python'])
    await samples.getByText('JavaScript').click()
    t.match(await samples.locator('pre:visible').innerText(), 'await customers.change(4711,')
    await page.getByRole('button', { name: 'Authorize' }).click()
    t.same(await accessibilityFindings(page), [])
    t.ok(
      await dialog.getByRole('button', { name: 'Close' }).first().evaluate(button => button === document.activeElement),
      'the keyboard begins at the top'
    )
    for (const size of [{ width: 1100, height: 850 }, { width: 375, height: 667 }]) {
      await page.setViewportSize(size)
      t.ok(
        await isSeen(flow('authorizationCode with PKCE').getByRole('button', { name: 'Authorize' })),
        `the button is seen at ${size.width} × ${size.height}`
      )
    }
    await page.setViewportSize({ width: 320, height: 640 })
    t.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 320)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  await t.test('Authorize signs in with a code and PKCE, in a popup, as the app that the operator has set', async t => {
    t.equal(await flow('authorizationCode with PKCE').getByLabel('client_id').inputValue(), 'demo-docs')
    const opened = page.waitForEvent('popup')
    await flow('authorizationCode with PKCE').getByRole('button', { name: 'Authorize' }).click()
    const popup = await opened
    t.match(await popup.getByRole('heading', { level: 1 }).innerText(), /API reference/)
    await allow(popup)
    await flow('authorizationCode with PKCE').getByRole('button', { name: 'Logout' }).waitFor()
    t.equal(await flow('implicit').getByRole('button', { name: 'Logout' }).count(), 0, 'no sign-in by the other flow')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  })

  await t.test('every example can be sent as it is: a customer is registered, read, listed, changed in each way and removed', async t => {
    t.match(await execute(page, 'post /rest/qa/customer'), /^201.*location: \/rest\/qa\/customer\/4711/s)
    const [, name, etag = ''] = /^200.*(charitha).*etag: ("\d+-text")/s.exec(
      await execute(page, 'get /rest/qa/customer/{customerid}')
    ) ?? []
    t.equal(name, 'charitha')
    t.match(await execute(page, 'patch /rest/qa/customer/{customerid}', { 'if-match': etag }), /^204/)
    t.match(
      await execute(page, 'patch /rest/qa/customer/{customerid}', { 'if-match': etag }),
      /^412.*\/problems\/version-differs.*The customer has changed/s
    )
    t.match(await execute(page, 'get /rest/qa/customer', { q: 'char col' }), /^200.*"customeraddress": "colombo"/s)
    t.match(await execute(page, 'put /rest/qa/customer'), /^204/)
    t.match(await execute(page, 'put /rest/qa/customer/{customerid}'), /^204/)
    t.match(await execute(page, 'delete /rest/qa/customer/{customerid}'), /^204/)
  })

  await t.test('Authorize signs in by the implicit grant too, for the scopes that are chosen', async t => {
    await page.getByRole('button', { name: 'Authorize' }).click()
    await flow('authorizationCode with PKCE').getByRole('button', { name: 'Logout' }).click()
    await flow('implicit').getByText('customer:delete').click()
    const opened = page.waitForEvent('popup')
    await flow('implicit').getByRole('button', { name: 'Authorize' }).click()
    await allowButton(await opened).click()
    await flow('implicit').getByRole('button', { name: 'Logout' }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    t.match(await execute(page, 'delete /rest/qa/customer/{customerid}'), /^403.*The access token is missing a scope/s)
  })

  await t.test('nothing came from anywhere but the service and auth-server, and nothing was kept from running', async t => {
    t.same([...origins].sort(), [stack.issuer, stack.address('customer-service')].sort())
    t.same(refused, [])
  })

  await endStack(t, stack)
})

/** Whether a click on its middle, without scrolling, reaches the element. */
async function isSeen (button: Locator): Promise<boolean> {
  return await button.evaluate(element => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
}

/** Opens an operation, unless it is open. */
async function open (page: Page, operation: string): Promise<Locator> {
  const block = page.locator('.opblock').filter({ has: page.getByRole('button', { name: operation, exact: true }) })
  const button = block.getByRole('button', { name: operation, exact: true })
  if (await button.getAttribute('aria-expanded') !== 'true') await button.click()
  await block.getByRole('button', { name: 'Execute' }).waitFor()
  return block
}

/** Executes an operation with its examples, and what is filled in here. Gives what is shown of the answer, its status first. */
async function execute (page: Page, operation: string, fields: Record<string, string> = {}): Promise<string> {
  const block = await open(page, operation)
  for (const [name, value] of Object.entries(fields)) await block.locator(`[data-param-name='${name}'] input`).fill(value)
  const [method] = operation.split(' ')
  const answered = page.waitForResponse(response => response.request().method() === method!.toUpperCase() &&
    response.url().includes('/rest/'))
  await block.getByRole('button', { name: 'Execute' }).click()
  const shown = block.locator('.live-responses-table .response')
  await shown.getByText(String((await answered).status())).first().waitFor()
  return await shown.innerText()
}

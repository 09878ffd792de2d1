import t from 'tap'
import { accessibilityFindings, openPage, signIn, skip, startBrowser } from '../browser.js'
import { addPerson, authorizationUrl, erika, Person } from '../person.js'
import { endStack, startStack } from '../stack.js'

await t.test('the register as a list in the example app', { skip }, async t => {
  const stack = await startStack(t)
  await addPerson(stack, erika)
  const answer = new URL(await new Person(stack).allow(authorizationUrl(stack, { scope: 'customer:read customer:write' }), erika))
  const token = new URLSearchParams(answer.hash.slice(1)).get('access_token')
  const resource = `${stack.address('customer-service')}/rest/qa/customer`
  const headers = { authorization: `Bearer ${token}` }
  const register = async (customerid: number, customername: string, customeraddress: string) => {
    const body = new URLSearchParams({ customerid: String(customerid), customername, customerage: '40', customeraddress })
    t.equal((await fetch(resource, { method: 'POST', headers, body })).status, 201)
  }
  for (let id = 1; id <= 24; id++) await register(id, `Person ${String(id).padStart(2, '0')}`, 'Somewhere')
  await register(25, 'Jörg Müller', 'Straße 5, Köln')
  await register(2147483647, 'The last', 'Far away')

  const page = await openPage(t, await startBrowser(t), stack)
  await signIn(page, stack)
  const rows = page.locator('#browse tbody tr')

  await t.test('it comes page by page, and is searched as one types', async t => {
    await page.getByText('The first 20 customers.').waitFor()
    t.same(await accessibilityFindings(page), [])
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText('26 customers.').waitFor()
    t.equal(await rows.count(), 26)
    t.equal(await page.evaluate(() => document.activeElement?.closest('tr') !== null), true, 'the first of the new rows has the focus')
    await page.getByLabel('Search name and address').pressSequentially('mull kol')
    await page.getByText('1 customer.').waitFor()
    t.same(await rows.locator('td').allTextContents(), ['25', 'Jörg Müller', '40', 'Straße 5, Köln'])
    await page.getByLabel('Search name and address').fill('nobody like this')
    await page.getByText('No customers found.').waitFor()
  })

  await t.test('what cannot be searched for is said at its field, and hides nothing that is said of something else', async t => {
    const search = page.getByLabel('Search name and address')
    await search.fill('...')
    await page.locator('#browse-q-note').getByText('Must have a letter or a digit.').waitFor()
    t.equal(await page.locator('#found').textContent(), '')
    await page.locator('#move-customername').fill('Person 08')
    await page.locator('#move-customeraddress').fill('Upstairs')
    const asked = page.waitForResponse(response => response.status() === 400)
    await page.getByRole('button', { name: 'Move', exact: true }).click()
    await asked
    await page.getByText('Person 08 now lives at Upstairs.').waitFor()
    t.equal(await page.locator('.note').count(), 1)
    t.equal(await page.locator('#result').getAttribute('role'), 'status')
    await search.fill('downstairs')
    await page.getByText('No customers found.').waitFor()
    t.equal(await page.locator('.note').count(), 0)
  })

  await t.test('a customer is changed with the keyboard alone', async t => {
    await page.getByLabel('Search name and address').fill('person 07')
    await page.getByText('1 customer.').waitFor()
    await rows.getByRole('button').focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    t.same(await accessibilityFindings(page), [])
    await dialog.getByLabel('Address').fill('Elsewhere')
    await page.keyboard.press('Enter')
    await page.getByText('Customer 7 is changed.').waitFor()
    await rows.getByText('Elsewhere').waitFor()
  })

  await t.test('a concurrent change is shown, and overwritten only on request', async t => {
    await rows.getByRole('button').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('Mine')
    const other = await fetch(`${resource}/7`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/merge-patch+json' },
      body: '{"customerage":41,"customeraddress":"Theirs"}'
    })
    t.equal(other.status, 204)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('This customer was changed by someone else.').waitFor()
    t.match(await dialog.locator('dl').innerText(), /Age\s+was 40, is now 41\s+Address\s+was Elsewhere, is now Theirs/)
    t.same(await accessibilityFindings(page), [])
    t.equal(await dialog.getByLabel('Address').inputValue(), 'Mine', 'what was typed stays')
    t.equal(await dialog.getByLabel('Age').inputValue(), '41', 'what was not touched is theirs')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Customer 7 is changed.').waitFor()
    await rows.getByText('Mine').waitFor()
    t.same(await rows.locator('td').allTextContents(), ['7', 'Person 07', '41', 'Mine'])
  })

  await t.test('on a phone nothing is cut off', async t => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByLabel('Search name and address').fill('')
    await page.getByText('The first 20 customers.').waitFor()
    t.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320)
    await page.getByLabel('Order', { exact: true }).selectOption('Last changed')
    await rows.first().getByText('Mine').waitFor()
    for (const width of [320, 1100]) {
      await page.setViewportSize({ width, height: 640 })
      const broken = await page.locator('#browse .number').evaluateAll(cells => cells.filter(cell => {
        const text = document.createRange()
        text.selectNodeContents(cell)
        return text.getClientRects().length > 1
      }).map(({ textContent }) => textContent))
      t.same(broken, [], `no number is broken in two at ${width} pixels`)
    }
    t.ok(await rows.getByText('2147483647').count())
  })
  await endStack(t, stack)
})

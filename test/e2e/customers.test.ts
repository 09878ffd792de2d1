import type { Page } from 'playwright-core'
import t from 'tap'
import { openPage, signIn, skip, startBrowser } from '../browser.js'
import { addPerson, erika } from '../person.js'
import { endStack, startStack } from '../stack.js'

await t.test('the customer register in the example app', { skip }, async t => {
  const stack = await startStack(t)
  const browser = await startBrowser(t)
  await addPerson(stack, erika)
  const page = await openPage(t, browser, stack)
  await signIn(page, stack, 'Sign in with the implicit grant')

  await t.test('a customer is registered, found, moved and removed', async t => {
    await send(page, 'Register', { Number: '1', Name: 'charitha', Age: '33', Address: 'piliyandala' })
    t.equal(await told(page, 'status'), 'Customer 1 is registered.')
    t.match(await page.locator('#result').textContent(), 'POST /rest/qa/customer → 201')

    await send(page, 'Look up', { Number: '1' }, 'Name')
    t.equal(await told(page, 'status'), 'Customer 1 is called')
    t.equal(await page.locator('#result .name').textContent(), 'charitha')

    await send(page, 'Move', { Name: 'charitha', 'New address': 'colombo' })
    t.equal(await told(page, 'status'), 'charitha now lives at colombo.')
    t.same(await record(page, '1'), { customerid: '1', customername: 'charitha', customerage: '33', customeraddress: 'colombo' })

    await send(page, 'Remove', { Number: '1' })
    await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click()
    t.equal((await record(page, '1')).customername, 'charitha', 'Keep keeps')
    await send(page, 'Remove', { Number: '1' })
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    t.equal(await told(page, 'status'), 'Customer 1 is removed.')
    await send(page, 'Look up', { Number: '1' }, 'Name')
    t.match(await told(page, 'alert'), /customer/i)
    t.match(await page.locator('#result').textContent(), /GET \/rest\/qa\/customer\/1 → 404/)
  })

  await t.test('a name that two customers have is settled with a button for each', async t => {
    await send(page, 'Register', { Number: '21', Name: 'Kim', Age: '20', Address: 'Here' })
    await told(page, 'status')
    await send(page, 'Register', { Number: '22', Name: 'Kim', Age: '30', Address: 'There' })
    await told(page, 'status')
    await send(page, 'Move', { Name: 'Kim', 'New address': 'Away' })
    await told(page, 'alert')
    const candidates = page.locator('#result .candidates button')
    t.same(await candidates.allTextContents(), ['Customer 21, Here', 'Customer 22, There'])
    await candidates.nth(1).click()
    t.equal(await told(page, 'status'), 'Kim now lives at Away.')
    t.equal((await record(page, '21')).customeraddress, 'Here')
    t.equal((await record(page, '22')).customeraddress, 'Away')
  })

  await t.test('errors of a form are shown next to its fields, and so is a number that is taken', async t => {
    await send(page, 'Register', { Number: '0', Name: 'x'.repeat(101), Age: 'old', Address: 'Here' })
    await told(page, 'alert')
    for (const label of ['Number', 'Name', 'Age']) {
      const input = page.getByRole('form', { name: 'Register' }).getByLabel(label)
      t.equal(await input.getAttribute('aria-invalid'), 'true', label)
      t.ok(await page.locator(`#${await input.getAttribute('aria-describedby')}`).textContent(), label)
    }
    t.match(await page.locator('#result').innerText(), 'Correct the marked fields: Number, Name, Age.')
    t.equal(await page.evaluate(() => document.activeElement?.id), 'register-customerid', 'the first wrong field has the focus')
    await send(page, 'Register', { Number: '21', Name: 'Kim', Age: '20', Address: 'Here' })
    await told(page, 'alert')
    t.match(await page.locator('#result').textContent(), 'POST /rest/qa/customer → 409')
    t.equal(await page.locator('[aria-invalid]').count(), 0, 'the notes of the last refusal are gone')
  })

  await t.test('text that looks like HTML is text', async t => {
    const name = '<img src=x onerror=alert(1)> & "quotes" {{7*7}}'
    await send(page, 'Register', { Number: '31', Name: name, Age: '1', Address: '=1+1' })
    await told(page, 'status')
    t.equal((await record(page, '31')).customername, name)
    t.equal(await page.locator('#result img').count(), 0)
  })

  await t.test('signed out of the app, the token is forgotten', async t => {
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out of this app. Its access has ended.').waitFor()
    t.equal(await page.getByRole('form', { name: 'Register' }).count(), 0)
    await page.reload()
    await t.resolves(page.getByRole('button', { name: 'Sign in', exact: true }).waitFor())
  })

  await endStack(t, stack)
})

/** Fills in a form and presses its first button, or the one named. */
async function send (page: Page, form: string, fields: Record<string, string>, button?: string): Promise<void> {
  const region = page.getByRole('form', { name: form })
  for (const [label, value] of Object.entries(fields)) await region.getByLabel(label, { exact: true }).fill(value)
  // The last answer must not be taken for the next one.
  await page.locator('#result').evaluate(it => it.replaceChildren())
  await region.getByRole('button', button === undefined ? {} : { name: button, exact: true }).first().click()
}

/** What the app says, and whether as news or as an alert. */
async function told (page: Page, role: 'status' | 'alert'): Promise<string> {
  return await page.locator(`#result[role=${role}] .title`).textContent() ?? ''
}

/** Looks a customer up and reads its fields off the page. */
async function record (page: Page, customerid: string): Promise<Record<string, string>> {
  await send(page, 'Look up', { Number: customerid }, 'Record')
  await told(page, 'status')
  const fields = await page.locator('#result dl div').allTextContents()
  const names = await page.locator('#result dt').allTextContents()
  return Object.fromEntries(names.map((name, index) => [name, fields[index]!.slice(name.length)]))
}

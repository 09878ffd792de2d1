import t from 'tap'
import { skip } from '../support/browser.js'
import { startDesk } from '../support/desk.js'
import { endStack } from '../support/stack.js'

await t.test('the place in the desk is in the address', { skip }, async t => {
  const { stack, page, register, remove, assertDocumented } = await startDesk(t, 54)
  await register(55, 'Jörg Müller', 'Straße 5, Köln')
  await register(56, 'Zoë', 'Far away', 34)
  const app = stack.address('desk')
  const search = page.getByLabel('Search customers')
  const panel = (name: string) => page.getByRole('dialog', { name })
  const closed = async () => await page.getByRole('dialog').waitFor({ state: 'detached' })
  const row = (id: number) => page.locator(`tr[data-id="${id}"] .open`)
  const at = async (query: string) => await page.waitForFunction(query => location.pathname + location.search === query, query)

  await t.test('search and order are in it, and defaults are left out', async t => {
    t.equal(page.url(), `${app}/`)
    await search.fill('zoë far')
    await at('/?q=zo%C3%AB+far')
    await page.getByRole('button', { name: 'Age', exact: true }).click()
    await at('/?q=zo%C3%AB+far&sort=age')
    await page.getByRole('button', { name: 'Age', exact: true }).click()
    await at('/?q=zo%C3%AB+far&sort=-age')
    await search.fill('')
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await at('/')
  })

  await t.test('Back closes the panel, Forward opens it again, and closing it goes back', async t => {
    const entries = async () => await page.evaluate(() => history.length)
    const before = await entries()
    await row(1).click()
    await panel('Person 01').waitFor()
    await at('/?customer=1')
    await page.goBack()
    await closed()
    await at('/')
    await page.goForward()
    await panel('Person 01').waitFor()
    await panel('Person 01').getByLabel('Address').fill('Elsewhere')
    await page.goBack()
    await page.getByText('Kept your changes to Person 01 as a draft.').waitFor()
    await page.goForward()
    t.equal(await panel('Person 01').getByLabel('Address').inputValue(), 'Elsewhere')
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await closed()
    for (const close of ['Escape', 'Close']) {
      await row(2).click()
      await at('/?customer=2')
      if (close === 'Escape') await page.keyboard.press('Escape')
      else await panel('Person 02').getByRole('button', { name: 'Close' }).first().click()
      await closed()
      await at('/')
    }
    t.equal(await entries(), before + 1, 'one entry after all, for Forward')
  })

  await t.test('a panel that opens while the browser still goes back from the last one gets its entry', async t => {
    const entries = await page.evaluate(() => history.length)
    await page.evaluate(async () => {
      const rendered = async () => { for (let i = 0; i < 20; i++) await Promise.resolve() }
      const click = async (selector: string) => {
        document.querySelector<HTMLElement>(selector)!.click()
        await rendered()
      }
      for (const id of [1, 2, 3]) {
        await click(`tr[data-id="${id}"] .open`)
        if (id < 3) await click('dialog.panel [aria-label=Close]')
      }
    })
    await panel('Person 03').waitFor()
    await at('/?customer=3')
    t.equal(await page.evaluate(() => history.length), entries)
    await page.goBack()
    await closed()
    await at('/')
  })

  await t.test('a new customer has an address too', async t => {
    await page.locator('#new').click()
    await panel('New customer').getByLabel('Name').fill('Kim')
    await at('/?customer=new1')
    await page.keyboard.press('Escape')
    await at('/')
    await page.goForward()
    t.equal(await panel('New customer').getByLabel('Name').inputValue(), 'Kim')
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await at('/')
  })

  await t.test('a link leads to its search, order and customer, even if the customer is not among the rows', async t => {
    await page.goto(`${app}/?q=person&sort=-id&customer=55`)
    await panel('Jörg Müller').waitFor()
    t.equal(page.url(), `${app}/?q=person&sort=-id&customer=55`)
    await page.getByText('54 customers').waitFor({ state: 'attached' })
    t.equal(await search.inputValue(), 'person')
    t.equal(await page.locator('th.number').getAttribute('aria-sort'), 'descending')
    await page.keyboard.press('Escape')
    await closed()
    await at('/?q=person&sort=-id')
  })

  await t.test('while the customer service is down, a link waits for it', async t => {
    t.equal(await stack.end('customer-service', 'SIGTERM'), 0)
    await page.goto(`${app}/?customer=55`)
    await page.getByText('Can\'t reach the customer service.').first().waitFor()
    await stack.start('customer-service')
    await panel('Jörg Müller').waitFor()
    t.equal(page.url(), `${app}/?customer=55`)
    await page.keyboard.press('Escape')
    await closed()
  })

  await t.test('the desk says that a customer does not exist, or was removed, and restores it', async t => {
    await page.goto(`${app}/?customer=99`)
    await page.getByRole('alert').getByText('There is no customer with number 99.').waitFor()
    await at('/')
    await remove(56)
    await page.goto(`${app}/?customer=56`)
    await page.getByRole('alert').getByText('Zoë was removed.').waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Restored Zoë.').waitFor()
    t.equal(page.url(), `${app}/`)
  })

  await t.test('a link cannot choose the id of a new customer, which the next ones follow', async t => {
    await page.goto(`${app}/?customer=new9999999999999999999999`)
    await at('/?customer=new1')
    for (const [name, id] of [['Anna', 'new1'], ['Bert', 'new2']] as const) {
      if (name === 'Bert') await page.keyboard.press('n')
      await at(`/?customer=${id}`)
      t.equal(await panel('New customer').getByLabel('Name').inputValue(), '')
      await panel('New customer').getByLabel('Name').fill(name)
      await page.keyboard.press('Escape')
      await closed()
    }
    await page.getByText('2 drafts').waitFor()
  })

  await t.test('invalid parts of an address are ignored', async t => {
    await page.goto(`${app}/?sort=secret&customer=12345678901&other=1`)
    await page.locator('#found').getByText('56 customers').waitFor()
    await at('/')
    t.equal(await page.locator('th.name').getAttribute('aria-sort'), 'ascending')
    t.equal(await page.getByRole('dialog').count(), 0)
  })
  assertDocumented(t)
  await endStack(t, stack)
})

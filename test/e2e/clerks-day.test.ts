import t from 'tap'
import { allow, pressSignIn, skip } from '../support/browser.js'
import { startDesk } from '../support/desk.js'
import { Hand } from '../support/hand.js'
import { erika } from '../support/person.js'
import { endStack } from '../support/stack.js'

/** Customers of the register; "Erika Müller" comes in addition. */
const PEOPLE = 700

await t.test('a clerk\'s day: twenty tasks, each with the most that it takes', { skip }, async t => {
  const { stack, page, register, read, change, assertDocumented } = await startDesk(t, PEOPLE)
  const hand = new Hand(page)
  const rows = page.locator('tr[data-id]')
  const row = (id: number) => page.locator(`tr[data-id="${id}"]`)
  const search = page.getByLabel('Search customers')
  const found = page.locator('#found')
  const panel = page.getByRole('dialog')
  const field = (name: string) => panel.getByLabel(name, { exact: true })
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const said = (text: string) => page.locator('#message').getByText(text).waitFor()
  const menuitem = (name: string) => page.getByRole('menuitem', { name, exact: true })
  const addressOf = async (id: number) => (await read(id)).customeraddress
  await register(1001, 'Erika Müller', 'Straße 5, Köln', 34)
  await found.getByText('701 customers').waitFor()

  /** A task: what it is, the most clicks, keys and fields that it takes, and how it is done. */
  const tasks: Array<[name: string, most: number, work: () => Promise<unknown>]> = [
    ['find a customer by name', 1, async () => {
      await hand.fill(search, 'erika')
      await found.getByText('1 customer', { exact: true }).waitFor()
    }],
    ['read a record', 1, async () => {
      await hand.click(row(1001))
      await field('Address').waitFor()
    }],
    ['change the address', 2, async () => {
      await hand.fill(field('Address'), 'Ring 1, Bonn')
      await hand.press('Enter')
      await said('Saved Erika Müller.')
    }],
    ['undo that', 1, async () => {
      await hand.press('u')
      await said('Undid the changes')
      t.equal(await addressOf(1001), 'Straße 5, Köln')
    }],
    ['look a number up', 1, async () => {
      await hand.fill(search, '345')
      await row(345).waitFor()
    }],
    ['list everyone aged 34', 1, async () => {
      await hand.fill(search, 'age 34')
      await row(1001).waitFor()
    }],
    ['see who was changed last', 2, async () => {
      await hand.fill(search, '')
      await found.getByText('701 customers').waitFor()
      await hand.click(button('Changed'))
      await rows.first().getByText('Erika').waitFor()
    }],
    ['add a customer', 5, async () => {
      await hand.press('n')
      await hand.fill(field('Name'), 'Max Weber')
      await hand.fill(field('Age'), '50')
      await hand.fill(field('Address'), 'Weg 2')
      await hand.press('Enter')
      await said('Added Max Weber.')
    }],
    ['notice a customer who is already registered, and open the record', 3, async () => {
      await hand.press('n')
      await hand.fill(field('Name'), 'Erika Müller')
      await hand.click(panel.getByRole('button', { name: 'Open number 1001' }))
      await panel.getByRole('heading', { name: 'Erika Müller' }).waitFor()
    }],
    ['go back to the list', 1, async () => {
      await hand.browser(() => page.goBack())
      await panel.waitFor({ state: 'hidden' })
    }],
    ['go on with the new customer that was left, and leave it again', 4, async () => {
      await hand.click(page.locator('#drafts'))
      await hand.click(menuitem('Erika Müller'))
      await hand.fill(field('Name'), 'Erik Müller')
      await hand.press('Escape')
      await panel.waitFor({ state: 'hidden' })
      await page.locator('#drafts').getByText('1 draft').waitFor()
    }],
    ['reload in the middle of a search', 2, async () => {
      await hand.fill(search, 'person 69')
      await found.getByText('11 customers').waitFor()
      await hand.browser(() => page.reload())
      await found.getByText('11 customers').waitFor()
      t.equal(await search.inputValue(), 'person 69')
    }],
    ['open a second tab', 1, async () => {
      const tab = await page.context().newPage()
      await hand.browser(() => tab.goto(page.url()))
      await tab.locator('#found').getByText('11 customers').waitFor()
      await tab.close()
    }],
    ['follow a colleague\'s link to a customer', 1, async () => {
      const tab = await page.context().newPage()
      await hand.browser(() => tab.goto(`${stack.address('desk')}/?customer=1001`))
      await tab.getByRole('dialog', { name: 'Erika Müller' }).waitFor()
      await tab.close()
    }],
    ['remove three customers in a row, and undo', 5, async () => {
      await hand.click(row(690).getByRole('checkbox'))
      await hand.click(row(692).getByRole('checkbox'), { modifiers: ['Shift'] })
      await hand.click(button('Remove…'))
      await hand.click(button('Remove 3'))
      await said('Removed 3 customers.')
      await hand.press('u')
      await said('Undone: 3 customers are as before.')
    }],
    ['remove all matches of a search, and undo', 6, async () => {
      await hand.fill(search, 'person')
      await found.getByText(`${PEOPLE} customers`).waitFor()
      await hand.click(page.getByLabel('Select all rows'))
      await hand.click(page.getByRole('button', { name: `Select all ${PEOPLE} that match` }))
      await hand.click(button('Remove…'))
      await hand.click(button(`Remove ${PEOPLE}`))
      await said(`Removed ${PEOPLE} customers.`)
      await hand.press('u')
      await said(`Undone: ${PEOPLE} customers are as before.`)
    }],
    ['export all matches of a search', 3, async () => {
      await hand.click(page.getByLabel('Select all rows'))
      await hand.click(page.getByRole('button', { name: `Select all ${PEOPLE} that match` }))
      const file = page.waitForEvent('download')
      await hand.click(button('Export as CSV'))
      await file
      await page.keyboard.press('Escape')
    }],
    ['save what a colleague has changed meanwhile', 5, async () => {
      await hand.fill(search, '1001')
      await hand.click(row(1001).locator('.open'))
      await hand.fill(field('Address'), 'Allee 9')
      await change(1001, { customeraddress: 'Gasse 3' })
      await panel.getByText('Someone else saved changes').waitFor()
      await hand.click(panel.getByRole('button', { name: 'Use mine' }))
      await hand.click(button('Save'))
      await row(1001).getByText('Allee 9').waitFor()
      t.equal(await addressOf(1001), 'Allee 9')
    }],
    ['save while offline', 3, async () => {
      await hand.click(row(1001).locator('.open'))
      await hand.fill(field('Address'), 'Allee 10')
      await page.context().setOffline(true)
      await hand.press('Enter')
      await page.getByText('You\'re offline.').first().waitFor()
      await page.context().setOffline(false)
      // The message can still be that of the last save.
      await row(1001).getByText('Allee 10').waitFor()
      t.equal(await addressOf(1001), 'Allee 10')
    }],
    ['sign out, and in again', 5, async () => {
      await page.keyboard.press('Escape')
      await hand.click(page.locator('#person'))
      await hand.click(menuitem('Sign out'))
      await page.getByText('You\'re signed out of this app and').waitFor()
      await pressSignIn(page, stack)
      await allow(page, erika)
      // "Sign in", two fields and a button.
      hand.count += 3
      await page.locator('#person').waitFor()
    }]
  ]

  for (const [name, most, work] of tasks) {
    await t.test(name, async t => {
      hand.count = 0
      const start = performance.now()
      await work()
      t.ok(hand.count <= most, `${hand.count} of at most ${most} clicks, keys and fields`)
      t.comment(`${hand.count} clicks, keys and fields, ${((performance.now() - start) / 1000).toFixed(1)} s`)
    })
  }
  assertDocumented(t)
  await endStack(t, stack)
})

import type { Page } from 'playwright-core'
import t from 'tap'
import { accessibilityFindings, fits, openPage, signIn, skip } from '../support/browser.js'
import { startDesk } from '../support/desk.js'
import { endStack } from '../support/stack.js'

const parts = (page: Page) => {
  const panel = page.locator('dialog.panel')
  return {
    panel,
    row: (name: string) => page.locator('tr[data-id]').getByText(name),
    field: (label: string) => panel.getByLabel(label, { exact: true }),
    press: async (name: string) => await panel.getByRole('button', { name, exact: true }).click(),
    said: async (text: string) => await page.locator('#message').getByText(text).waitFor(),
    focused: async (id: string) => await page.waitForFunction(id => document.activeElement?.id === id, id)
  }
}

await t.test('what others do to the customer that is open in the desk', { skip }, async t => {
  const file = t
  const { stack, page, resource, headers, change, remove, assertDocumented } = await startDesk(t, 9)
  const { panel, row, field, press, said, focused } = parts(page)
  const read = async (id: number) => await (await fetch(`${resource}/${id}`, { headers: { ...headers, accept: 'application/json' } })).json()
  const conflict = panel.locator('#panel-conflict')
  const rowsOf = async () => (await conflict.locator('dl').allInnerTexts()).map(text => text.replaceAll(/\s+/g, ' ').replaceAll(/ for \w+/g, ''))

  await t.test('a change appears while the user types, the focus stays, and Enter does not overwrite it', async t => {
    await row('Person 01').click()
    await field('Address').fill('Mine')
    await change(1, { customeraddress: 'Theirs', customerage: 41 })
    await conflict.getByText('Someone else saved changes to this customer').waitFor()
    await panel.getByText('Someone else changed Age: 40 → 41.').waitFor()
    await focused('panel-customeraddress')
    t.equal(await field('Address').inputValue(), 'Mine')
    t.equal(await field('Age').inputValue(), '41')
    t.same(await accessibilityFindings(page), [])
    await fits(t, page, 'a conflict')
    await page.keyboard.press('Enter')
    await focused('panel-conflict')
    await page.keyboard.press('Enter')
    t.match(await read(1), { customeraddress: 'Theirs' })
  })

  await t.test('a second change is added to the first one; a choice is made again, and saved', async t => {
    await press('Use mine for Address')
    await change(1, { customeraddress: 'Theirs again', customername: 'Person 1' })
    await conflict.getByText('Theirs again').waitFor()
    t.same(await rowsOf(), ['Address Before Somewhere Theirs Theirs again Use theirs Mine Mine Use mine'])
    await panel.getByText('Someone else changed Age: 40 → 41, Name: Person 01 → Person 1.').waitFor()
    await press('Save')
    await focused('panel-conflict')
    await press('Use theirs for Address')
    t.equal(await field('Address').inputValue(), 'Theirs again')
    t.equal(await panel.getByRole('button', { name: 'Use theirs for Address' }).getAttribute('aria-pressed'), 'true')
    await press('Use mine for Address')
    t.equal(await field('Address').inputValue(), 'Mine')
    await press('Save')
    await said('Saved Person 1.')
    t.match(await read(1), { customername: 'Person 1', customerage: 41, customeraddress: 'Mine' })
  })

  await t.test('it survives closing and a reload; all fields are chosen at once', async t => {
    await row('Person 02').click()
    await field('Address').fill('Mine')
    await field('Age').fill('30')
    await page.keyboard.press('Escape')
    await change(2, { customeraddress: 'Theirs', customerage: 50 })
    await row('Person 02').click()
    await conflict.waitFor()
    t.same(await rowsOf(), ['Age Before 40 Theirs 50 Use theirs Mine 30 Use mine', 'Address Before Somewhere Theirs Theirs Use theirs Mine Mine Use mine'])
    await page.reload()
    await conflict.waitFor()
    t.equal((await rowsOf()).length, 2)
    await press('Use all theirs')
    t.equal(await field('Age').inputValue(), '50')
    t.equal(await field('Address').inputValue(), 'Theirs')
    await press('Use all mine')
    await page.keyboard.press('Control+Enter')
    await said('Saved Person 02.')
    t.match(await read(2), { customeraddress: 'Mine', customerage: 30 })
  })

  await t.test('a removal appears at once, and the customer is restored or added again with the input', async t => {
    await row('Person 03').click()
    await remove(3)
    await panel.getByText('Someone removed this customer.').waitFor()
    t.same(await accessibilityFindings(page), [])
    await press('Restore')
    await said('Restored Person 03.')
    t.match(await read(3), { customername: 'Person 03' })
    await row('Person 03').click()
    await field('Address').fill('Mine')
    await remove(3)
    await panel.getByText('Your changes are below. Add the customer again, or discard them.').waitFor()
    t.equal(await panel.getByRole('button', { name: 'Save', exact: true }).count(), 0)
    await fits(t, page, 'a removed customer')
    await press('Add again')
    await said('Saved Person 03.')
    t.match(await read(3), { customername: 'Person 03', customeraddress: 'Mine' })
    await row('Person 03').click()
    await field('Address').fill('Mine again')
    await remove(3)
    await press('Discard')
    await said('Discarded your changes to Person 03.')
  })

  await t.test('without a history, a removed customer is registered again', async t => {
    await page.route(`${resource}/4/history?*`, route => route.fulfill({ json: { items: [] }, headers: { 'access-control-allow-origin': '*' } }))
    await row('Person 04').click()
    await field('Address').fill('Mine')
    await remove(4)
    await press('Add again')
    await said('Added Person 04.')
    t.match(await read(4), { customeraddress: 'Mine' })
  })

  await t.test('an erased customer can only be discarded, and so is the draft', async t => {
    await row('Person 05').click()
    await field('Address').fill('Mine')
    t.equal((await fetch(`${resource}/5/erase`, { method: 'POST', headers })).status, 200)
    await panel.getByText('Someone erased this customer.').waitFor()
    t.same(await panel.locator('#panel-gone button').allTextContents(), ['Discard'])
    t.equal(await field('Address').isEditable(), false)
    t.same(await accessibilityFindings(page), [])
    await press('Discard')
    await panel.getByRole('heading').waitFor({ state: 'detached' })
    t.equal(await page.evaluate(() => JSON.stringify({ ...sessionStorage }).includes('Person 05')), false)
  })

  await t.test('two browsers change the same customer: each shows the conflict, and the last choice is saved', async t => {
    const other = await openPage(file, page.context().browser()!, stack)
    await signIn(other, stack)
    const there = parts(other)
    await there.row('Person 06').click()
    await row('Person 06').click()
    await field('Address').fill('Here')
    await there.field('Address').fill('There')
    await there.press('Save')
    await there.said('Saved Person 06.')
    await conflict.waitFor()
    await there.row('Person 06').click()
    await there.field('Age').fill('60')
    await press('Use mine for Address')
    await press('Save')
    await said('Saved Person 06.')
    await there.panel.getByText('Someone else changed Address: There → Here.').waitFor()
    await there.press('Save')
    await there.said('Saved Person 06.')
    t.match(await read(6), { customeraddress: 'Here', customerage: 60 })
  })

  await t.test('without a change feed, the conflict appears when the user saves', async t => {
    const url = `${stack.address('customer-service')}/problems/feed-off`
    await page.route(`${resource}/events?*`, route => route.fulfill({
      status: 404, contentType: 'application/problem+json', body: JSON.stringify({ type: url, title: 'Off', status: 404 }), headers: { 'access-control-allow-origin': '*' }
    }))
    await page.reload()
    await row('Person 07').click()
    await field('Address').fill('Mine')
    await change(7, { customeraddress: 'Theirs' })
    await page.keyboard.press('Enter')
    await focused('panel-conflict')
    await press('Use theirs for Address')
    await press('Save')
    await conflict.waitFor({ state: 'detached' })
    await row('Person 08').click()
    await field('Address').fill('Mine')
    await remove(8)
    await page.keyboard.press('Enter')
    await focused('panel-gone')
    await press('Add again')
    await said('Saved Person 08.')
    t.match(await read(8), { customeraddress: 'Mine' })
  })
  assertDocumented(t)
  await endStack(t, stack)
})

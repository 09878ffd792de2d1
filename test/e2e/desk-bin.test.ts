import t from 'tap'
import { accessibilityFindings, skip } from '../support/browser.js'
import { partsOf, startDesk } from '../support/desk.js'
import { endStack } from '../support/stack.js'

await t.test('removed customers in the desk', { skip }, async t => {
  const { stack, page, register, read, remove, assertDocumented } = await startDesk(t, 60)
  const { row, menu } = partsOf(page)
  const dialog = page.getByRole('dialog', { name: 'Removed customers' })
  const search = dialog.getByLabel('Search removed customers')
  const rows = dialog.locator('.lines li')
  const openBin = async () => {
    await menu('Removed customers…')
    await dialog.waitFor()
  }

  await t.test('without any, the dialog says how they get there', async t => {
    await openBin()
    await dialog.getByText('No removed customers. You can restore removed customers here').waitFor()
    t.same(await accessibilityFindings(page), [])
    await page.keyboard.press('Escape')
  })

  await t.test('they are listed, newest first, a page at a time', async t => {
    for (let id = 1; id <= 52; id++) await remove(id)
    await openBin()
    await rows.nth(49).waitFor()
    t.equal(await rows.count(), 50)
    t.match(await rows.first().innerText(), /^Person 52\s+Number 52, Somewhere\s+Removed by you · .+\s+Restore$/s)
    t.same(await accessibilityFindings(page), [])
    await dialog.getByRole('button', { name: 'Show more' }).click()
    await rows.nth(51).waitFor()
    t.equal(await rows.count(), 52)
  })

  await t.test('one is found and restored with the keyboard, and the next one has the focus', async t => {
    await search.fill('person 1')
    await dialog.getByText('Person 19', { exact: true }).waitFor()
    await rows.nth(10).waitFor({ state: 'detached' })
    t.equal(await rows.count(), 10)
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Restore Person 19' }).press('Enter')
    await dialog.getByText('Restored Person 19.').waitFor()
    t.equal(await page.evaluate(() => document.activeElement?.ariaLabel), 'Restore Person 18')
    t.equal((await read(19)).customername, 'Person 19')
    t.equal(await rows.count(), 9)
  })

  await t.test('one whose number is in use again is not restored, and the dialog says why', async t => {
    await register(18, 'Newer', 'Elsewhere')
    await dialog.getByRole('button', { name: 'Restore Person 18' }).click()
    await dialog.getByRole('alert').getByText('Couldn\'t restore Person 18. The number is already in use.').waitFor()
    t.equal((await read(18)).customername, 'Newer')
    await search.fill('nowhere')
    await dialog.getByText('No customers found').waitFor()
    // The first one clears the search.
    for (const key of ['Escape', 'Escape']) await page.keyboard.press(key)
    await dialog.waitFor({ state: 'hidden' })
    await row('Person 19').waitFor()
    t.equal(await page.evaluate(() => document.activeElement?.id), 'files')
  })

  await t.test('what cannot be loaded is said, and can be tried again', async t => {
    await page.reload()
    await row('Person 19').waitFor()
    await page.route('**/list/bin.js', route => route.abort(), { times: 1 })
    await menu('Removed customers…')
    await page.getByText('Couldn\'t load this part of the desk.').waitFor()
    await openBin()
    await rows.first().waitFor()
    t.equal(await rows.count(), 50)
  })
  assertDocumented(t)
  await endStack(t, stack)
})

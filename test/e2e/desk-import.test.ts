import { workbookParts, zip } from '@frontdesk/test-kit/workbook'
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { accessibilityFindings, skip } from '../support/browser.js'
import { partsOf, startDesk } from '../support/desk.js'
import { endStack } from '../support/stack.js'

await t.test('the columns of an import in the desk, and its undo', { skip }, async t => {
  const { stack, page, resource, headers, change, read, assertDocumented } = await startDesk(t, 0)
  const { said, row } = partsOf(page)
  const dialog = page.getByRole('dialog')
  const statusOf = async (id: number) => (await fetch(`${resource}/${id}`, { headers })).status
  const menu = async (item: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const importText = async (text: string | Buffer, name = 'contacts.csv') => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), menu('Import a file…')])
    await chooser.setFiles({ name, mimeType: '', buffer: Buffer.from(text) })
  }
  const press = async (name: string) => await dialog.getByRole('button', { name, exact: true }).click()
  const headings = 'Nr.;Vorname;Nachname;Stadt;Code\r\n'
  const [check, yes] = [dialog.getByRole('button', { name: 'Check the file' }), dialog.getByRole('button', { name: /^Import \d/ })]

  await t.test('what is recognized is shown, and missing columns are chosen, joined or the same for all', async t => {
    await importText(Buffer.from(`${headings}1;Zoë;Müller;Köln;7\r\n2;Jörg;Meier;Ulm;8\r\n`, 'latin1'))
    await dialog.getByText('Read as CSV, windows-1252, separated by ;.').waitFor()
    t.match(await dialog.locator('.lines').innerText(), /Vorname\s+Zoë · Jörg/)
    t.ok(await check.isDisabled())
    t.equal(await page.evaluate(() => document.activeElement?.id), 'columns-customerid-0')
    const names = dialog.locator('[id^="columns-customername"]')
    t.same(await names.evaluateAll(all => all.map(it => (it as unknown as { value: string }).value)), ['#2', '#3', ''])
    t.same(await accessibilityFindings(page), [])
    await dialog.getByLabel('Age', { exact: true }).selectOption('The same for all…')
    await dialog.getByLabel('Age of all').fill('40')
    await dialog.getByLabel('Address', { exact: true }).selectOption('Stadt')
    await dialog.getByLabel('Address: another column').selectOption('Code')
    await check.click()
    await dialog.getByText('2 customers without errors. Nothing has been imported yet.').waitFor()
    await dialog.getByLabel('Address: another column').first().selectOption('Join another column…')
    await check.click()
    await yes.click()
    await said('Imported 2 customers.')
    t.match(await read(1), { customername: 'Zoë Müller', customerage: 40, customeraddress: 'Köln' })
  })

  await t.test('the next file with these headings has the same columns, of which only positions are stored', async t => {
    await importText(`${headings}3;Ada;Lovelace;London;36\n`)
    await dialog.getByLabel('Age', { exact: true }).selectOption('Code')
    await check.click()
    await yes.click()
    await row('Ada Lovelace').waitFor()
    t.match(await read(3), { customername: 'Ada Lovelace', customerage: 36, customeraddress: 'London' })
    const stored = await page.evaluate(() => localStorage.getItem('frontdesk.columns'))
    t.match(stored, '"customername":["#2","#3"]')
    t.notMatch(stored, /Vorname|Ada|London/)
    await importText(`${headings}4;Alan;Turing;London;41\n`)
    await yes.click()
    await row('Alan Turing').waitFor()
    t.match(await read(4), { customername: 'Alan Turing', customerage: 41 })
  })

  await t.test('an import is undone right after it, and customers that changed since are skipped and named', async t => {
    await importText('Number,Name,Age,Address\n11,One,1,Here\n12,Two,2,Here\n13,Three,3,Here\n')
    await yes.click()
    await said('Imported 3 customers.')
    await change(12, { customerage: 22 })
    await page.locator('#message').getByRole('button', { name: 'Undo' }).click()
    await dialog.getByText('2 customers go back to how they were before. 1 customer stays as it is.').waitFor()
    t.match(await dialog.locator('.lines').innerText(), /Number 12\s+Changed by you · /)
    t.same(await accessibilityFindings(page), [])
    await press('Cancel')
    t.equal(await statusOf(11), 200)
    await menu('Recent imports and bulk changes…')
    const first = dialog.locator('.lines li').first()
    await first.waitFor()
    t.match(await first.innerText(), /^Import\s+3 customers\s+By you · .*\s+Undo/)
    t.same(await accessibilityFindings(page), [])
    await first.getByRole('button').press('Enter')
    await press('Undo')
    await said('Undone: 2 customers are as before.')
    await said('1 customer stays as it is.')
    t.same(await Promise.all([11, 12, 13].map(statusOf)), [404, 200, 404])
    await row('Two').waitFor()
  })

  await t.test('of a workbook, another sheet can be chosen', async t => {
    const rowOf = (...cells: string[]) => `<row>${cells.map(cell => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
    const sheet = (name: string) => ({ rows: rowOf('Number', 'Name', 'Age', 'Address') + rowOf(name.slice(1), name, '5', 'Here') })
    // Larger than the beginning of a text, and without the usual ending.
    const parts = { 'xl/media/image1.png': randomBytes(2 ** 20), ...workbookParts({ A21: sheet('A21'), B22: sheet('B22') }) }
    await importText(await zip(parts), 'book.xlsm')
    await yes.waitFor()
    await dialog.getByLabel('Sheet').selectOption('B22')
    await dialog.getByText('B22', { exact: true }).last().waitFor()
    await yes.click()
    await row('B22').waitFor()
    t.same(await Promise.all([21, 22].map(statusOf)), [404, 200])
  })

  await t.test('an undone import is marked, and its undo can be undone', async t => {
    await menu('Recent imports and bulk changes…')
    const rows = dialog.locator('.lines li')
    await rows.nth(5).waitFor()
    t.match(await rows.nth(2).innerText(), /^Import\s+3 customers\s+.*Undone$/s)
    await rows.nth(1).getByRole('button').click()
    await press('Undo')
    await row('Three').waitFor()
    t.same(await Promise.all([11, 12, 13].map(statusOf)), [200, 200, 200])
  })

  await t.test('customers without a number are numbered: those of a file without numbers, or some of a file, and this is remembered', async t => {
    await importText('Name,Age,Address\nFirst,1,Here\nSecond,2,Here\n')
    t.ok(await check.isDisabled())
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    t.ok(await dialog.getByLabel('Number customers without a number').isChecked())
    t.same(await accessibilityFindings(page), [])
    await check.click()
    await yes.click()
    await said('Imported 2 customers.')
    t.match([await read(23), await read(24)], [{ customername: 'First' }, { customername: 'Second' }])
    const some = (names: string) => `Number,Name,Age,Address,Note\n${names}`
    await importText(some('40,Third,3,Here,\n,Fourth,4,Here,\n'))
    await dialog.getByText('Columns').click()
    await dialog.getByLabel('Number customers without a number').check()
    await check.click()
    await dialog.getByText('2 customers without errors.').waitFor()
    await yes.click()
    await row('Fourth').waitFor()
    t.match([await read(40), await read(41)], [{ customername: 'Third' }, { customername: 'Fourth' }])
    await importText(some(',Fifth,5,Here,\n'))
    await dialog.getByText('1 customer without errors.').waitFor()
    await yes.click()
    await row('Fifth').waitFor()
    t.match(await read(42), { customername: 'Fifth' })
  })

  await t.test('customers are updated, by number or by exact name, after a look at what would change, and this is undone', async t => {
    const file = 'Number,Name,Age,Address\n40,Third,33,Elsewhere\n41,Fourth,4,Here\n43,New,1,Here\n'
    await importText(file)
    await dialog.getByText('1 of 3 customers can be imported; 2 have errors. Nothing has been imported yet.').waitFor()
    const what = dialog.getByLabel('What to do')
    t.equal(await what.locator('option:checked').innerText(), 'Add only')
    await what.focus()
    await page.keyboard.press('ArrowDown')
    await dialog.getByText('To add: 0. To update: 1. Unchanged: 1. With errors: 1. Nothing has been imported yet.').waitFor()
    t.equal(await page.evaluate(() => document.activeElement?.id), 'import-mode')
    t.match(await dialog.getByRole('list', { name: 'What would change' }).innerText(), /Line 2 · Number 40\s+Age: 3 → 33\s+Address: Here → Elsewhere/)
    t.match(await dialog.getByRole('list', { name: 'Lines with errors' }).innerText(), /Line 4\s+Number: No customer has this value\./)
    t.same(await accessibilityFindings(page), [])
    await page.keyboard.press('ArrowDown')
    await dialog.getByText('To add: 1. To update: 1. Unchanged: 1. With errors: 0.').waitFor()
    await dialog.getByRole('button', { name: 'Import 2 customers' }).click()
    await said('Added: 1. Updated: 1. Unchanged: 1. With errors: 0.')
    t.match([await read(40), await read(43)], [{ customerage: 33, customeraddress: 'Elsewhere' }, { customername: 'New' }])
    await page.locator('#message').getByRole('button', { name: 'Undo' }).click()
    await press('Undo')
    await said('Undone: 2 customers are as before.')
    t.match([await read(40), await statusOf(43)], [{ customerage: 3, customeraddress: 'Here' }, 404])
  })

  await t.test('a file without numbers is matched by name; a name that two customers have is an error with their numbers', async t => {
    await importText('Number,Name,Age,Address\n51,Third,9,Here\n')
    await yes.click()
    await said('Imported 1 customer.')
    await importText('Name,Age,Address\nFourth,44,Here\nThird,1,Here\n')
    await dialog.getByLabel('What to do').selectOption('Update only')
    t.same(await dialog.getByLabel('Find customers by').locator('option').allInnerTexts(), ['Exact name'])
    await dialog.getByText('To add: 0. To update: 1. Unchanged: 0. With errors: 1.').waitFor()
    t.match(await dialog.getByRole('list', { name: 'What would change' }).innerText(), /Line 2 · Number 41\s+Age: 4 → 44/)
    t.match(await dialog.getByRole('list', { name: 'Lines with errors' }).innerText(), /Name: Several customers have this value\.\s+Number 40, Number 51/)
    await yes.click()
    await said('Added: 0. Updated: 1. Unchanged: 0. With errors: 1.')
    t.match(await read(41), { customerage: 44 })
  })

  await t.test('a step leads to its result, at the top; neither a double-click nor another rule uses one that was not seen', async t => {
    await page.setViewportSize({ width: 1000, height: 420 })
    await importText('Name,Age,Address\nThird,45,There\nFourth,45,Here\n')
    await dialog.getByLabel('Number customers without a number').check()
    await check.press('Enter')
    await yes.waitFor()
    t.equal(await page.evaluate(() => document.activeElement?.id), 'import-status')
    const { y = -1 } = await dialog.getByText('2 customers without errors.').boundingBox() ?? {}
    t.ok(y >= 0 && y < 420, 'the result is visible')
    await yes.hover()
    for (const turn of ['down', 'up'] as const) await page.mouse[turn]({ clickCount: 2 })
    t.ok(await yes.isVisible())
    await dialog.getByLabel('Number customers without a number').uncheck()
    await dialog.getByLabel('What to do').selectOption('Update only')
    await yes.waitFor()
    await dialog.getByLabel('What to do').selectOption('Add only')
    t.same([await check.isDisabled(), await yes.count(), await dialog.getByText('To update').count()], [true, 0, 0])
  })

  assertDocumented(t)
  await endStack(t, stack)
})

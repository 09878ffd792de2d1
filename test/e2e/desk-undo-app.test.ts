import t from 'tap'
import { accessibilityFindings, skip } from '../support/browser.js'
import { partsOf, startDesk } from '../support/desk.js'
import { endStack } from '../support/stack.js'

await t.test('what an app did is undone in the desk, after a look at what would happen', { skip }, async t => {
  const { stack, page, register, change, statusOf, resource, headers, assertDocumented } = await startDesk(t, 0)
  const { menu, said } = partsOf(page)
  const dialog = page.getByRole('dialog')
  const open = async () => {
    await menu('Recent imports and bulk changes…')
    await dialog.getByRole('button', { name: 'Undo what an app did…' }).click()
  }
  const ask = async () => await dialog.getByRole('button', { name: 'Check what would be undone' }).click()

  await t.test('the form names this app, and the time an hour ago; its layout fits, and it is accessible', async t => {
    await register(1, 'Ada', 'London')
    await register(2, 'Bob', 'Köln')
    await register(3, 'Carl', 'Ulm')
    await open()
    t.equal(await dialog.getByLabel('App (client_id)').inputValue(), 'desk')
    const since = await dialog.getByLabel('Changes since').inputValue()
    t.ok(Math.abs(Date.now() - 3_600_000 - Date.parse(since)) < 120_000, since)
    t.equal(await page.evaluate(() => document.activeElement?.id), 'undo-since')
    t.same(await accessibilityFindings(page), [])
    const size = page.viewportSize()!
    await page.setViewportSize({ width: 320, height: 640 })
    t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 320))
    await page.setViewportSize(size)
    await page.keyboard.press('Escape')
  })

  await t.test('an app without changes has nothing to undo; the time must be in the history', async t => {
    await open()
    await dialog.getByLabel('App (client_id)').fill('another')
    await page.keyboard.press('Enter')
    await said('There is nothing to undo.')
    await open()
    await dialog.getByLabel('Changes since').fill('2020-01-01T00:00')
    await ask()
    await said(/where the history begins/)
    t.same(await Promise.all([1, 3].map(statusOf)), [200, 200])
  })

  await t.test('the changes of this app are undone, after a question', async t => {
    await change(2, { customerage: 41 })
    await open()
    await ask()
    await dialog.getByText('3 customers go back to how they were before.').waitFor()
    t.same(await Promise.all([1, 2, 3].map(statusOf)), [200, 200, 200], 'a look changes nothing')
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
    await said('Undone: 3 customers are as before.')
    t.same(await Promise.all([1, 2, 3].map(statusOf)), [404, 404, 404])
    const { items: [undo] } = await (await fetch(`${resource}/operations?limit=1`, { headers })).json() as { items: object[] }
    t.match(undo, { kind: 'undo', client_id: 'desk', customers: 3, undoes_client_id: 'desk', undoes_since: /:00\.000Z$/ })
  })

  assertDocumented(t)
  await endStack(t, stack)
})

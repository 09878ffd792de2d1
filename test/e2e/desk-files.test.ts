import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { accessibilityFindings, allow, pressSignIn, signOut, skip } from '../support/browser.js'
import { partsOf, startDesk } from '../support/desk.js'
import { endStack } from '../support/stack.js'

await t.test('files and drafts in the desk', { skip }, async t => {
  const { stack, page, register, statusOf, assertDocumented } = await startDesk(t, 0)
  await register(55, 'Jörg', 'Köln')
  const chosen = async (button: () => Promise<void>) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button()])
    return chooser
  }
  const { menu } = partsOf(page)
  const importFile = async (file: Parameters<Awaited<ReturnType<typeof chosen>>['setFiles']>[0]) =>
    await (await chosen(() => menu('Import a file…'))).setFiles(file)
  const file = (text: string) => ({ name: 'new.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  const dialog = page.getByRole('dialog', { name: 'Import new.csv' })
  const good = 'Number;Name;Age;Address\n9001;Imported;30;Here\n'

  await t.test('a file is checked before it is imported, and its errors are shown by line', async t => {
    await importFile(file(`${good}9002;Too old;old;Here\n55;Taken;30;Here\n`))
    await dialog.getByText('1 of 3 customers can be imported; 2 have errors. Nothing has been imported yet.').waitFor()
    t.match(await dialog.locator('[role=status] .lines').innerText(), /Line 3\s+Age: Must be .*2147483647.*Line 4\s+Number: .*/s)
    t.same(await accessibilityFindings(page), [])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    t.equal(await statusOf(9001), 404)

    await importFile(file(`${good}9002;;151;Here\n`))
    await dialog.getByText('Check before you import: 1 customer may be mistyped.').waitFor()
    t.match(await dialog.locator('[role=status] .lines').innerText(), /Line 3\s+Name: Is blank\.\s*Age: Is not from 0 to 150\./)
    await dialog.getByRole('button', { name: 'Import 2 customers' }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await importFile(file('%PDF-1.7\n'))
    await dialog.getByRole('alert').getByText('The file cannot be read. This kind of file cannot be imported: PDF.').waitFor()
    const other = await chosen(() => dialog.getByRole('button', { name: 'Choose another file' }).click())
    await other.setFiles(file(good))
    await dialog.getByRole('button', { name: 'Import 1 customer' }).click()
    await page.getByText('Imported 1 customer.').waitFor()
    t.equal(await statusOf(9001), 200)
    t.equal(await page.evaluate(() => document.activeElement?.id), 'files')
  })

  await t.test('a file that is changed after its check is chosen again', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'frontdesk-'))
    t.teardown(() => rm(folder, { recursive: true }))
    const path = join(folder, 'new.csv')
    await writeFile(path, good.replace('9001', '9002'))
    await importFile(path)
    await dialog.getByRole('button', { name: 'Import 1 customer' }).waitFor()
    await appendFile(path, '9003;Late;30;Here\n')
    await dialog.getByRole('button', { name: 'Import 1 customer' }).click()
    await dialog.getByRole('alert').getByText('The file changed.').waitFor()
    const again = await chosen(() => dialog.getByRole('button', { name: 'Choose another file' }).click())
    await again.setFiles(path)
    await dialog.getByRole('button', { name: 'Import 2 customers' }).waitFor()
    await page.keyboard.press('Escape')
    t.equal(await statusOf(9002), 404)
  })

  await t.test('all customers are exported, and an export that breaks off is told', async t => {
    const [saved] = await Promise.all([page.waitForEvent('download'), menu('Export all as CSV')])
    t.equal(
      await readFile(await saved.path(), 'utf8'),
      '\ufeffcustomerid,customername,customerage,customeraddress\r\n55,Jörg,40,Köln\r\n9001,Imported,30,Here\r\n'
    )
    await page.getByText('Exported all customers.').waitFor()
    await page.evaluate(() => {
      const send = globalThis.fetch
      globalThis.fetch = async (url, init) => {
        const response = await send(url, init)
        // As when the service stops in the middle.
        const broken = new ReadableStream({ start: controller => controller.error(new TypeError('network error')) })
        return response.url.includes('/export?') ? new Response(broken) : response
      }
    })
    await menu('Export all as CSV')
    await page.getByText('Export failed.').waitFor()
  })

  await t.test('a file that is too large for a proxy is reported as such; after a response without a report, the file is sent again', async t => {
    await page.evaluate(() => {
      const send = globalThis.fetch
      const answers = [new Response('<h1>413</h1>', { status: 413, headers: { 'content-type': 'text/html' } }), new Response(null)]
      globalThis.fetch = async (url, init) => String(url).includes('/import?') ? answers.shift() ?? await send(url, init) : await send(url, init)
    })
    await importFile(file(good))
    await dialog.getByRole('alert').getByText('This file is too large for a proxy.').waitFor()
    t.same(await accessibilityFindings(page), [])
    const again = await chosen(() => dialog.getByRole('button', { name: 'Choose another file' }).click())
    await again.setFiles(file(good))
    await dialog.getByText('0 of 1 customer can be imported').waitFor()
    await page.keyboard.press('Escape')
  })

  await t.test('a draft survives a reload; when another tab signs out, drafts and dialogs are gone', async t => {
    await page.locator('#new').click()
    await page.getByLabel('Name').fill('Half typed')
    await page.reload()
    await page.getByRole('dialog', { name: 'New customer' }).waitFor()
    t.equal(await page.getByLabel('Name').inputValue(), 'Half typed')
    await page.keyboard.press('Escape')
    await importFile(file(good))
    await dialog.getByText('0 of 1 customer can be imported').waitFor()
    const second = await page.context().newPage()
    await second.goto(stack.address('desk'))
    await signOut(second)
    await page.getByText('You signed out in another tab.').waitFor()
    t.equal(await page.getByRole('dialog').count(), 0)
    t.equal(await page.evaluate(() => sessionStorage.length), 0)
    await second.getByText('You\'re signed out of this app and').waitFor()
    await pressSignIn(page, stack)
    await allow(page)
    await page.locator('#person').waitFor()
    t.equal(await page.getByRole('dialog').count(), 0)
  })
  assertDocumented(t)
  await endStack(t, stack)
})

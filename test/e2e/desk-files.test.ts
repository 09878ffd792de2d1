import t from 'tap'
import { accessibilityFindings, openPage, signIn, skip, startBrowser } from '../browser.js'
import { addPerson, authorizationUrl, erika, Person } from '../person.js'
import { endStack, startStack } from '../stack.js'

await t.test('a file is checked before it is imported: its errors are shown by line, and all customers are exported', { skip }, async t => {
  const stack = await startStack(t)
  await addPerson(stack, erika)
  const answer = new URL(await new Person(stack).allow(authorizationUrl(stack, { scope: 'customer:read customer:write customer:delete' }), erika))
  const headers = { authorization: `Bearer ${new URLSearchParams(answer.hash.slice(1)).get('access_token')}` }
  const resource = `${stack.address('customer-service')}/rest/qa/customer`
  const body = new URLSearchParams({ customerid: '55', customername: 'Jörg', customerage: '40', customeraddress: 'Köln' })
  t.equal((await fetch(resource, { method: 'POST', headers, body })).status, 201)
  const page = await openPage(t, await startBrowser(t), stack)
  await signIn(page, stack)
  const choose = async (item: string, event: 'filechooser' | 'download') => {
    await page.getByRole('button', { name: 'Import and export' }).click()
    const [happened] = await Promise.all([page.waitForEvent(event as 'filechooser'), page.getByRole('menuitem', { name: item }).click()])
    return happened
  }
  const file = (text: string) => ({ name: 'new.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  const dialog = page.getByRole('dialog', { name: 'Import new.csv' })
  const good = 'Number;Name;Age;Address\n9001;Imported;30;Here\n'
  await (await choose('Import a file…', 'filechooser')).setFiles(file(`${good}9002;Too old;151;Here\n55;Taken;30;Here\n`))
  await dialog.getByText('1 of 3 customers can be imported, 2 cannot. Nothing is imported yet.').waitFor()
  t.match(await dialog.locator('.lines').innerText(), /Line 3\s+Age: Must be .*150.*Line 4\s+Number: .*/s)
  t.same(await accessibilityFindings(page), [])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  t.equal((await fetch(`${resource}/9001`, { headers })).status, 404)
  await (await choose('Import a file…', 'filechooser')).setFiles(file('Number;Name\n'))
  await dialog.getByRole('alert').getByText('The file cannot be read.').waitFor()
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), dialog.getByRole('button', { name: 'Choose another file' }).click()])
  await chooser.setFiles(file(good))
  await dialog.getByRole('button', { name: 'Import 1 customer' }).click()
  await page.getByText('1 customer is imported.').waitFor()
  t.equal((await fetch(`${resource}/9001`, { headers })).status, 200)
  t.equal((await fetch(`${resource}/9001`, { method: 'DELETE', headers })).status, 204)
  await choose('Export all as CSV', 'download')
  await page.getByText('All customers are exported.').waitFor()
  await endStack(t, stack)
})

import { readFile } from 'node:fs/promises'
import t from 'tap'
import { openPage, signIn, skip, startBrowser } from '../support/browser.js'
import { startCheckedStack } from '../support/openapi/checked-stack.js'
import { addPerson, erika } from '../support/person.js'
import { endStack } from '../support/stack.js'

await t.test('an export that needs a second step in the example app', { skip }, async t => {
  const { stack, assertDocumented } = await startCheckedStack(t, undefined, { STEP_UP_ACR: 'urn:frontdesk:acr:mfa', STEP_UP_MAX_AGE: '300' })
  await addPerson(stack, erika)
  const page = await openPage(t, await startBrowser(t), stack)
  await signIn(page, stack)
  const asked: URLSearchParams[] = []
  page.on('request', request => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/authorize') asked.push(searchParams)
  })
  const exportAll = async () => {
    await page.getByRole('button', { name: 'Import and export' }).click()
    await page.getByRole('menuitem', { name: 'Export all as CSV' }).click()
  }

  await t.test('a user without one is told so after one sign-in, and stays signed in', async t => {
    await exportAll()
    await page.getByText('Export failed. This needs a recent sign-in with a second step.').waitFor()
    t.same(asked.map(it => [it.get('acr_values'), it.get('max_age')]), [['urn:frontdesk:acr:mfa phr', '300']])
    await page.locator('#person').waitFor()
  })

  await t.test('a user with one gets the file: the export is repeated with the new token', async t => {
    const tokens = new Set<string | undefined>()
    await page.route('**/rest/qa/customer/export?*', async route => {
      tokens.add(route.request().headers().authorization)
      if (tokens.size === 1) await route.continue()
      // As for a token of a stronger sign-in.
      else await route.fulfill({ headers: { 'content-type': 'text/csv', 'access-control-allow-origin': '*' }, body: 'customerid\r\n55\r\n\u0004' })
    })
    const [saved] = await Promise.all([page.waitForEvent('download'), exportAll()])
    t.equal(await readFile(await saved.path(), 'utf8'), '\ufeffcustomerid\r\n55\r\n')
    await page.getByText('Exported all customers.').waitFor()
    t.equal(tokens.size, 2)
    await page.unroute('**/rest/qa/customer/export?*')
  })
  assertDocumented(t)
  await endStack(t, stack)
})

import { setTimeout } from 'node:timers/promises'
import type { Route } from 'playwright-core'
import t from 'tap'
import { accessibilityFindings, fits, skip } from '../support/browser.js'
import { partsOf, startDesk } from '../support/desk.js'
import { endStack } from '../support/stack.js'

await t.test('the desk without a connection', { skip }, async t => {
  const { stack, page, resource, headers, read, register, change, remove, assertDocumented } = await startDesk(t, 9)
  const { panel, row, field, press, said, focused } = partsOf(page)
  const writes: string[] = []
  page.on('request', request => { if (/POST|PATCH/.test(request.method()) && request.url().startsWith(resource)) writes.push(request.method()) })
  const offline = async (is: boolean) => await page.context().setOffline(is)
  const open = async (name: string, address: string) => {
    await row(name).click()
    await field('Address').fill(address)
  }
  const add = async (fields: Record<string, string>) => {
    await page.keyboard.press('n')
    for (const [label, value] of Object.entries(fields)) await field(label).fill(value)
    await press('Add customer')
  }
  await row('Person 01').waitFor()
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const text = document.querySelector('[role=status] .banner')?.textContent?.trim() ?? ''
      if (seen.at(-1) !== text) seen.push(text)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })

  await t.test('the list and the panel say at once that the browser is offline, without an alert', async t => {
    await offline(true)
    await page.getByText('You\'re offline. Your changes are kept.').waitFor()
    t.equal(await page.getByRole('alert').filter({ hasText: /./ }).count(), 0)
    t.same(await accessibilityFindings(page), [])
    await fits(t, page, 'the bar of the list')
    await open('Person 01', 'Typed offline')
    await panel.getByText('You\'re offline. Your changes are kept.').waitFor()
    t.same(await accessibilityFindings(page), [])
    await fits(t, page, 'the bar of the panel')
  })

  await t.test('a save waits, can be cancelled, and closing the panel says that it follows', async t => {
    await page.keyboard.press('Enter')
    await panel.getByText('Saves when you\'re back online.').waitFor()
    await focused('panel-waiting')
    t.equal(await field('Address').isEditable(), false)
    t.same(await accessibilityFindings(page), [])
    await fits(t, page, 'a waiting save')
    await press('Cancel saving')
    await focused('panel-customername')
    t.equal(await field('Address').isEditable(), true)
    await page.keyboard.press('Control+Enter')
    await panel.getByText('Saves when you\'re back online.').waitFor()
    await page.keyboard.press('Escape')
    await said('Person 01 will be saved when you\'re back online.')
    await page.locator('tr[data-id="1"] .chip').getByText('Waiting').waitFor()
    t.equal(writes.length, 0, 'nothing was sent')
  })

  await t.test('a removal is refused at once, in the list and in the panel', async t => {
    await page.locator('tr[data-id="2"]').getByRole('button', { name: 'Actions for Person 02' }).click()
    await page.getByRole('menuitem', { name: 'Remove…' }).click()
    await said('You\'re offline. You can remove customers when you\'re back online.')
    await row('Person 02').click()
    await press('Remove…')
    await focused('panel-problem')
    t.match(await panel.locator('#panel-problem').innerText(), /You're offline\.\s+You can remove customers when you're back online\./)
    await page.keyboard.press('Escape')
  })

  await t.test('once the connection returns, all saves are sent in order, each once, and the desk reports the result', async t => {
    await add({ Number: '20', Name: 'Anna', Age: '20', Address: 'Here' })
    await panel.getByText('Saves when you\'re back online.').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#drafts').click()
    t.match(await page.getByRole('menuitem').allInnerTexts().then(texts => texts.map(text => text.replaceAll(/\s+/g, ' '))),
      [/Person 01 Waiting/, 'Discard', /Anna Waiting/, 'Discard'])
    await page.keyboard.press('Escape')
    await setTimeout(5_000)
    await register(21, 'Bert', 'Added by others meanwhile')
    const followed = page.waitForRequest(request => request.url().includes('/events?after='), { timeout: 3_000 })
    await offline(false)
    await followed
    await said('Saved 2 customers.')
    await row('Bert').waitFor()
    await row('Anna').waitFor()
    t.match(await read(1), { customeraddress: 'Typed offline' })
    t.match(await read(20), { customername: 'Anna' })
    t.same(writes, ['PATCH', 'POST'])
    t.equal(await page.locator('#drafts').count(), 0)
    t.same(await page.evaluate('seen.map(text => text.slice(0, 14))'), ['You\'re offline', ''], 'the bar came and went once')
    await change(3, { customeraddress: 'Live again' })
    await row('Live again').waitFor()
  })

  await t.test('the panel that is open meanwhile is saved and closed, with the result and Undo', async t => {
    await open('Person 04', 'Mine')
    await offline(true)
    await page.keyboard.press('Enter')
    await panel.getByText('Saves when you\'re back online.').waitFor()
    await offline(false)
    await said('Saved Person 04.')
    await panel.getByRole('heading').waitFor({ state: 'detached' })
    t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Person 04')
    await page.keyboard.press('u')
    await said('Undid the changes to Person 04.')
  })

  await t.test('changes by others are not overwritten, and their removals are shown', async t => {
    await offline(true)
    for (const name of ['Person 06', 'Person 05']) {
      await open(name, 'Mine')
      await page.keyboard.press('Enter')
      await panel.getByText('Saves when you\'re back online.').waitFor()
      if (name === 'Person 06') await page.keyboard.press('Escape')
    }
    await change(5, { customeraddress: 'Theirs' })
    await remove(6)
    // Time for the open panel to read the change, before its save is sent.
    await page.route(`${resource}/6`, async route => await setTimeout(1_000).then(() => route.continue()), { times: 1 })
    await offline(false)
    await said('Couldn\'t save Person 06. Removed by someone else.')
    await focused('panel-conflict')
    t.match(await read(5), { customeraddress: 'Theirs' })
    await page.keyboard.press('Escape')
    await page.locator('#drafts').click()
    await page.getByRole('menuitem', { name: 'Person 06', exact: true }).click()
    await panel.getByText('Someone removed this customer.').waitFor()
    await press('Discard')
    await row('Person 05').click()
    await press('Use mine for Address')
    await press('Save')
    await said('Saved Person 05.')
  })

  await t.test('while the service does not respond, it is the same: a reload keeps the save, which follows after sign-in', async t => {
    t.equal(await stack.end('customer-service', 'SIGTERM'), 0)
    await open('Person 07', 'Mine')
    await page.keyboard.press('Enter')
    await panel.getByText('Saves when the customer service responds.').waitFor()
    await panel.getByText('Can\'t reach the customer service. Your changes are kept.').waitFor()
    t.same(await accessibilityFindings(page), [])
    const [question] = await Promise.all([page.waitForEvent('dialog'), page.waitForEvent('dialog').then(it => it.accept()), page.reload()])
    t.equal(question.type(), 'beforeunload', 'closing the tab would lose the save')
    await panel.getByText('Saves when the customer service responds.').waitFor()
    await stack.start('customer-service')
    await said('Saved Person 07.')
    t.match(await read(7), { customeraddress: 'Mine' })
    t.equal(await page.locator('.banner').count(), 0)
  })

  await t.test('a save whose response is lost is sent again, and is made once', async t => {
    const patch = async (route: Route) => {
      if (!/POST|PATCH/.test(route.request().method())) return await route.fallback()
      await route.fetch()
      await route.abort()
    }
    // The client sends each three times before it gives up, and the save waits.
    await page.route(`${resource}/8`, patch, { times: 3 })
    await page.route(resource, patch, { times: 3 })
    await open('Person 08', 'Mine')
    await page.keyboard.press('Enter')
    await said('Saved Person 08.')
    await add({ Number: '30', Name: 'Carl', Age: '21', Address: 'There' })
    await said('Added Carl.')
    const { items } = await (await fetch(`${resource}/8/history`, { headers })).json() as { items: unknown[] }
    t.equal(items.length, 2, 'added, and changed once')
    await page.route(`${resource}/9`, route => route.fulfill({ status: 502, headers: { 'access-control-allow-origin': '*' } }), { times: 3 })
    await open('Person 09', 'After a bad gateway')
    await page.keyboard.press('Enter')
    await said('Saved Person 09.')
  })

  await t.test('signing out discards what waits', async t => {
    await offline(true)
    await open('Person 09', 'Mine')
    await page.keyboard.press('Enter')
    await panel.getByText('Saves when you\'re back online.').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#person').click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.locator('#sign-in').waitFor()
    await offline(false)
    t.equal(await page.evaluate(() => Object.keys(sessionStorage).filter(key => key.startsWith('frontdesk.draft')).length), 0)
    t.match(await read(9), { customeraddress: 'After a bad gateway' })
  })
  assertDocumented(t)
  await endStack(t, stack)
})

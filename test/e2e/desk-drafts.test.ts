import t from 'tap'
import { accessibilityFindings, fits, signOut, skip } from '../support/browser.js'
import { partsOf, startDesk } from '../support/desk.js'
import { endStack } from '../support/stack.js'

await t.test('drafts in the desk', { skip }, async t => {
  const { stack, page, resource, register, statusOf, assertDocumented } = await startDesk(t, 3)
  await register(55, 'Erika Müller', 'Straße 5, Köln', 33)
  const { panel, field, said, focused } = partsOf(page)
  const rows = page.locator('tr[data-id]')
  const drafts = page.locator('#drafts')
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
  const stored = async () => await page.evaluate(() => Object.keys(sessionStorage).filter(key => key.startsWith('frontdesk.draft')).length)

  await t.test('several new customers are begun with "n", each with its own number, and kept without a question', async t => {
    await rows.first().waitFor()
    t.equal(await drafts.count(), 0)
    for (const [name, number] of [['Anna', '56'], ['Bert', '57']] as const) {
      await page.keyboard.press('n')
      await focused('panel-customername')
      await page.waitForFunction(number => document.querySelector<HTMLInputElement>('#panel-customerid')?.value === number, number)
      await page.keyboard.type(name)
      await page.keyboard.press('Escape')
      await said('Kept the new customer as a draft.')
    }
    await drafts.getByText('2 drafts').waitFor()
    await rows.getByText('Person 01').click()
    await field('Address').fill('Elsewhere')
    await page.keyboard.press('Escape')
    await page.locator('tr[data-id="1"] .chip').getByText('Draft').waitFor()
    await drafts.getByText('3 drafts').click()
    t.same(await page.getByRole('menuitem').allTextContents().then(texts => texts.map(text => text.trim())),
      ['Anna', 'Discard', 'Bert', 'Discard', 'Person 01', 'Discard'])
    t.same(await accessibilityFindings(page), [])
    await fits(t, page, 'the menu of drafts')
    await item('Bert').click()
    t.equal(await field('Name').inputValue(), 'Bert')
    t.match(page.url(), /customer=new2$/)
  })

  await t.test('they survive a reload, and the address names the open one', async t => {
    await page.reload()
    await panel.getByText('Draft, not saved yet.').waitFor()
    t.equal(await field('Name').inputValue(), 'Bert')
    t.equal(await field('Number').inputValue(), '57')
    await page.keyboard.press('Escape')
    await drafts.getByText('3 drafts').waitFor()
  })

  await t.test('the suggested number comes too late for a user who is about to type one', async t => {
    let release = (): void => {}
    const held = new Promise<void>(resolve => { release = resolve })
    await page.route(url => url.search.includes('sort=-id'), async route => {
      await held
      await route.continue()
    })
    await panel.waitFor({ state: 'hidden' })
    await page.keyboard.press('n')
    await focused('panel-customername')
    await page.keyboard.press('Shift+Tab')
    await focused('panel-customerid')
    const suggestion = page.waitForResponse(response => response.url().includes('sort=-id'))
    release()
    await (await suggestion).finished()
    await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 100)))
    await page.keyboard.type('22')
    t.equal(await field('Number').inputValue(), '22')
    await page.unrouteAll()
    await field('Number').fill('')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
  })

  await t.test('a draft is discarded from the menu and in the panel, and both are undone', async t => {
    await drafts.click()
    // With the keyboard alone.
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key)
    await said('Discarded the new customer.')
    await focused('drafts')
    await drafts.getByText('2 drafts').waitFor()
    await page.keyboard.press('u')
    await drafts.getByText('3 drafts').waitFor()
    await rows.getByText('Person 01').click()
    await panel.getByRole('button', { name: 'Discard draft' }).click()
    await said('Discarded your changes to Person 01.')
    t.equal(await page.locator('tr[data-id="1"] .chip').count(), 0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('tr[data-id="1"] .chip').waitFor()
    await rows.getByText('Person 01').click()
    t.equal(await field('Address').inputValue(), 'Elsewhere')
    await page.keyboard.press('Escape')
    await drafts.click()
    await item('Anna').click()
    t.equal(await field('Name').inputValue(), 'Anna')
    await field('Age').fill('20')
    await field('Address').fill('Here')
    await page.keyboard.press('Control+Enter')
    await said('Added Anna.')
    await drafts.getByText('2 drafts').waitFor()
    await page.locator('tr[data-id="56"]').waitFor()
  })

  await t.test('a person who seems to be registered is shown below the name, as the search folds, and blocks nothing', async t => {
    await page.keyboard.press('n')
    await focused('panel-customername')
    await page.keyboard.type('erika MULLER')
    const warning = panel.getByText('Erika Müller, Straße 5, Köln (number 55) may be the same person.')
    await warning.waitFor()
    await focused('panel-customername')
    t.same(await accessibilityFindings(page), [])
    await fits(t, page, 'the warning')
    await field('Age').fill('70')
    await field('Address').fill('Somewhere else')
    await page.keyboard.press('Enter')
    await said('Added erika MULLER.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await said('Removed erika MULLER.')
  })

  await t.test('with the same address or age, saving asks; the other customer can be opened, and the draft is kept', async t => {
    for (const [age, address] of [['70', 'strasse 5 koln'], ['33', 'Somewhere else']] as const) {
      await page.keyboard.press('n')
      for (const [label, value] of Object.entries({ Name: 'ERIKA MÜLLER', Age: age, Address: address })) await field(label).fill(value)
      await page.keyboard.press('Enter')
      const question = page.getByRole('dialog', { name: 'Is this right?' })
      await question.getByText('Erika Müller, Straße 5, Köln (number 55) may be the same person.').waitFor()
      await page.keyboard.press('Enter')
      await question.waitFor({ state: 'detached' })
      await field('Age').fill(age)
      await panel.getByRole('button', { name: 'Open number 55' }).click()
      await panel.getByRole('heading', { name: 'Erika Müller' }).waitFor()
      await focused('panel-customername')
      t.equal(await field('Address').inputValue(), 'Straße 5, Köln')
      await page.keyboard.press('Escape')
      await drafts.click()
      await item('Discard ERIKA MÜLLER').click()
      await drafts.getByText('2 drafts').waitFor()
    }
  })

  await t.test('a failed look-up is no error', async t => {
    await page.route(`${resource}?name=*`, route => route.fulfill({ status: 500, headers: { 'access-control-allow-origin': '*' } }))
    await page.keyboard.press('n')
    for (const [label, value] of Object.entries({ Name: 'Erika Müller', Age: '33', Address: 'Straße 5, Köln' })) await field(label).fill(value)
    await page.keyboard.press('Enter')
    await said('Added Erika Müller.')
    t.equal(await panel.locator('.problem').count(), 0)
    await page.unroute(`${resource}?name=*`)
  })

  await t.test('Escape closes the panel even if the page is rendered before the close event', async t => {
    await rows.getByText('Person 02').click()
    await panel.waitFor()
    // A browser's Escape does the first; the event comes a frame later.
    await page.evaluate(async () => {
      document.querySelector<HTMLDialogElement>('dialog.panel')!.close()
      document.querySelector('#search')!.dispatchEvent(new Event('input'))
      for (let i = 0; i < 5; i++) await new Promise(resolve => requestAnimationFrame(resolve))
    })
    t.equal(await page.locator('dialog[open]').count(), 0)
  })

  await t.test('there are at most fifty drafts: more are refused with a sentence, and nothing that was typed is lost', async t => {
    await page.evaluate(() => {
      const [key, draft] = Object.entries(sessionStorage).find(([key]) => key.includes('.new'))!
      const prefix = key.slice(0, key.lastIndexOf('.') + 1)
      for (let number = 100; number < 148; number++) {
        sessionStorage.setItem(`${prefix}new${number}`, JSON.stringify({ ...JSON.parse(draft), id: `new${number}` }))
      }
    })
    await page.reload()
    await drafts.getByText('50 drafts').waitFor()
    await page.keyboard.press('n')
    await said('You have 50 drafts, which is the limit. Save or discard one first.')
    await rows.getByText('Person 02').click()
    await panel.getByText('You have 50 drafts, which is the limit.').waitFor()
    t.equal(await field('Address').isEditable(), false)
    t.same(await accessibilityFindings(page), [])
    await page.keyboard.press('Escape')
    await rows.getByText('Person 01').click()
    t.equal(await field('Address').isEditable(), true, 'it is a draft already')
    await page.keyboard.press('Escape')
  })

  await t.test('signing out discards all of them', async t => {
    t.equal(await stored(), 50)
    await signOut(page)
    await page.getByText('You\'re signed out of this app and').waitFor()
    t.equal(await stored(), 0)
    t.equal(await statusOf(56), 200)
  })
  assertDocumented(t)
  await endStack(t, stack)
})

import t from 'tap'
import { accessibilityFindings, skip } from '../support/browser.js'
import { startDesk } from '../support/desk.js'
import { endStack } from '../support/stack.js'

await t.test('the desk', { skip }, async t => {
  const { stack, page, resource, register, assertDocumented } = await startDesk(t, 54)
  await register(55, 'Jörg Müller', 'Straße 5, Köln')
  await register(2147483647, 'Zoë', 'Far away', 34)
  const rows = page.locator('tr[data-id]')
  const search = page.getByLabel('Search customers')
  const found = page.locator('#found')

  await t.test('it is searched as one types, by number and age too, sorted by its headings, and comes page by page', async t => {
    await found.getByText('56 customers').waitFor()
    t.same(await accessibilityFindings(page), [])
    await rows.last().scrollIntoViewIfNeeded()
    await page.locator('tr[data-id="2147483647"]').waitFor()
    t.equal(await rows.count(), 56)
    for (const [heading, name] of [['Address', 'Zoë'], ['Address', 'Jörg Müller'], ['Age', 'Zoë'], ['Changed', 'Zoë'], ['Number', 'Person 01'], ['Number', 'Zoë']]) {
      await page.getByRole('button', { name: heading! }).click()
      await rows.first().getByText(name!).waitFor()
      t.equal(await page.evaluate(() => scrollY), 0, 'from the top')
    }
    t.equal(await page.locator('th.number').getAttribute('aria-sort'), 'descending')
    await search.pressSequentially('mull kol')
    await found.getByText('1 customer').waitFor()
    t.match(await rows.first().innerText(), /55\s+Jörg Müller\s+40\s+Straße 5, Köln/)
    await search.fill('2147483647')
    await rows.getByText('Zoë').waitFor()
    await search.fill('34')
    await page.getByRole('button', { name: 'People aged 34' }).click()
    await rows.getByText('Zoë').waitFor()
    t.equal(await search.inputValue(), 'age 34')
    await search.fill('person aged 35-40')
    await found.getByText('54 customers').waitFor()
    await search.fill('9999999999 years')
    await page.locator('#search-note').getByText('Must be a whole number from -2147483648').waitFor()
    await search.fill('...')
    await page.locator('#search-note').getByText('Must have a letter or a digit.').waitFor()
    await search.fill('nobody like this')
    await page.getByRole('heading', { name: 'No customers found' }).waitFor()
    t.equal(await page.locator('.note').count(), 0)
    await search.fill('...')
    await page.locator('#search-note').waitFor()
    t.equal(await page.getByText('No customers found').count(), 0)
  })

  await t.test('a search follows next while pages are empty, and does not say that nothing is found while there is more', async t => {
    const last = { items: [{ customerid: 7, customername: 'Rare', customerage: 1, customeraddress: 'Late', etag: '"1-json"' }] }
    let asked = 0
    await page.route(`${resource}?*q=rare*`, route => route.fulfill({
      json: ++asked < 23 ? { items: [], next: `page${asked}` } : last, headers: { 'access-control-allow-origin': '*' }
    }))
    await search.fill('rare')
    await page.getByRole('button', { name: 'Keep searching' }).waitFor()
    t.equal(await page.getByText('No customers found').count(), 0)
    t.equal(asked, 20)
    await page.getByRole('button', { name: 'Keep searching' }).click()
    await rows.getByText('Rare').waitFor()
    await page.unroute(`${resource}?*q=rare*`)
    await search.fill('')
    await found.getByText('56 customers').waitFor()
  })

  await t.test('with the keyboard alone: search, rows, help, and these keys can be turned off', async t => {
    await page.locator('h1').click()
    await page.keyboard.press('/')
    await page.keyboard.type('person 0')
    await found.getByText('9 customers').waitFor()
    await page.getByRole('button', { name: 'Name', exact: true }).focus()
    await page.keyboard.press('Enter')
    await rows.first().getByText('Person 01').waitFor()
    await search.focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'x']) await page.keyboard.press(key)
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('/')
    await page.waitForFunction(() => document.activeElement?.id === 'search')
    for (const key of ['ArrowDown', 'ArrowDown', 'x', 'Escape']) await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Person 02' }).waitFor()
    await page.keyboard.press('Escape')
    t.equal(await page.evaluate(() => document.activeElement?.textContent), 'Person 02', 'the focus is back in the row')
    await page.keyboard.press('?')
    t.same(await accessibilityFindings(page), [])
    await page.getByLabel('Keyboard shortcuts').uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    t.equal(await page.getByRole('dialog').count(), 0)
  })

  await t.test('while the service does not respond, the rows stay, marked as out of date, but not under another search', async t => {
    await page.route(`${resource}?*`, route => route.abort())
    await page.getByRole('button', { name: 'Number' }).click()
    await page.getByText('Can\'t reach the customer service.').waitFor()
    t.equal(await rows.count(), 9, 'the rows of before')
    t.equal(await page.locator('th.name').getAttribute('aria-sort'), 'ascending', 'and their order')
    t.ok(await page.locator('.sheet[data-stale]').count())
    t.same(await accessibilityFindings(page), [])
    await search.fill('person 08')
    await page.getByRole('heading', { name: 'Can\'t reach the customer service' }).waitFor()
    t.equal(await rows.count(), 0, 'they do not match')
    await page.unroute(`${resource}?*`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await rows.getByText('Person 08').waitFor()
    t.equal(await page.locator('.banner').count(), 0)
  })

  await t.test('the search, the buttons and the headings stay in view, and a message covers no row and no developer view', async t => {
    await search.fill('')
    await found.getByText('56 customers').waitFor()
    const box = async (selector: string) => (await page.locator(selector).first().boundingBox())!
    const sizes = [[320, 640], [768, 1024], [1280, 720], [2560, 1440], [320, 640, true], [1280, 720, true]] as const
    for (const [width, height, hasDeveloperView] of sizes) {
      await page.setViewportSize({ width, height })
      if (hasDeveloperView && await page.locator('#developer').count() === 0) {
        await page.evaluate(() => scrollTo(0, 0))
        await page.locator('#person').click()
        await page.getByRole('menuitemcheckbox', { name: 'Developer view' }).click()
      }
      await page.evaluate(() => scrollTo(0, 1_000_000))
      await page.locator('tr[data-id="2147483647"]').waitFor()
      await page.evaluate(() => scrollTo(0, 500))
      await search.focus()
      t.equal(await page.evaluate(() => scrollY), 500, 'to search, the page does not scroll')
      const [bar, heading] = [await box('.bar'), await box('th.name')]
      t.equal(bar.y, 0, `${width} pixels: the bar is at the top`)
      t.ok(bar.height < 100, `and leaves room: ${bar.height}`)
      if (width > 640) t.ok(Math.abs(heading.y - bar.height) < 1, 'the headings follow')
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Export all as CSV' }).click()
      await page.getByText('Exported all customers.').waitFor()
      // The developer view grows by each request.
      await page.evaluate(() => scrollTo(0, 1_000_000))
      const [toast, last, developer] = [await box('.toast'), await box('tbody tr:last-child'), hasDeveloperView && await box('#developer')]
      t.ok(last.y + last.height <= toast.y, 'the message is below the last row')
      t.ok(toast.y + toast.height <= (developer ? developer.y : height), 'and above the developer view, or the end')
      await page.getByRole('button', { name: 'Close' }).click()
      if (!hasDeveloperView) t.ok(Math.abs((await box('tbody tr:last-child')).y - last.y) < 1, 'and without it nothing moves')
    }
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.setViewportSize({ width: 480, height: 320 })
    await page.evaluate(() => scrollTo(0, 400))
    t.ok((await box('.bar')).y < 0, 'a low window is left to the rows')
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  await t.test('on a phone no word is broken and nothing is cut off', async t => {
    await search.fill('')
    await found.getByText('56 customers').waitFor()
    for (const width of [320, 768, 2560]) {
      await page.setViewportSize({ width, height: 640 })
      t.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
      const broken = await page.locator('.number, h1, h2, button').evaluateAll(cells => cells.filter(cell => {
        const text = document.createRange()
        text.selectNodeContents(cell)
        const lines = new Set([...text.getClientRects()].filter(({ width }) => width > 0).map(({ bottom }) => Math.round(bottom / 20)))
        return !cell.textContent!.includes(' ') && !cell.querySelector('svg') && lines.size > 1
      }).map(({ textContent }) => textContent))
      t.same(broken, [], `${width} pixels`)
    }
    await page.setViewportSize({ width: 1280, height: 720 })
  })
  assertDocumented(t)
  await endStack(t, stack)
})

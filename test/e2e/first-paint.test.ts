import type { Page } from 'playwright-core'
import t from 'tap'
import { allow, openPage, pressSignIn, skip, startBrowser, WIDE } from '../support/browser.js'
import { addPerson, erika } from '../support/person.js'
import { endStack, startStack } from '../support/stack.js'

/** Of every response, in milliseconds: as from another continent. */
const LATENCY_MS = 150

/** In a page: adds up how far elements move by themselves. */
function watchShifts () {
  Object.assign(globalThis, { shifts: 0 })
  new PerformanceObserver(list => {
    // as: what the line above sets, and the interface of the Layout Instability API.
    const page = globalThis as unknown as { shifts: number }
    for (const entry of list.getEntries()) page.shifts += (entry as unknown as { value: number }).value
  }).observe({ type: 'layout-shift', buffered: true })
}

/** In a page: when it painted, and when it requested and received its modules, in milliseconds since it began to load. */
function readTimes () {
  // as: the type of entry that is asked for.
  const modules = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(({ name }) => name.endsWith('.js'))
  const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity
  const requested = modules.map(({ startTime }) => startTime)
  return {
    paint,
    modules: modules.length,
    wave: Math.max(...requested) - Math.min(...requested),
    loaded: Math.max(...modules.map(({ responseEnd }) => responseEnd)),
    transferred: modules.reduce((sum, { transferSize }) => sum + transferSize, 0),
    // as: set by the function above.
    shifts: (globalThis as unknown as { shifts: number }).shifts
  }
}

await t.test('the first paint of the desk', { skip }, async t => {
  const stack = await startStack(t)
  await addPerson(stack, erika)
  const browser = await startBrowser(t)

  /** Opens a page that is far away. */
  async function openSlowly (width = WIDE.width) {
    const page = await openPage(t, browser, stack, { viewport: { ...WIDE, width } })
    await page.addInitScript(watchShifts)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: LATENCY_MS, downloadThroughput: -1, uploadThroughput: -1 })
    return page
  }

  const isReady = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()

  await t.test('comes before the modules, which are all requested at once, and nothing moves', async t => {
    const page = await openSlowly()
    await page.goto(stack.address('desk'))
    await isReady(page)
    const { paint, modules, wave, loaded, shifts } = await page.evaluate(readTimes)
    t.ok(modules > 25, `${modules} modules`)
    t.ok(wave < LATENCY_MS, `the last module was requested ${Math.round(wave)} ms after the first one`)
    t.ok(paint < loaded, `painted at ${Math.round(paint)} ms, modules loaded at ${Math.round(loaded)} ms`)
    t.equal(shifts, 0)
    const footer = await page.locator('footer').boundingBox()
    t.equal(Math.round(footer!.y + footer!.height), WIDE.height, 'the footer is at the bottom')

    await page.reload()
    await isReady(page)
    t.equal((await page.evaluate(readTimes)).transferred, 0, 'a reload takes the modules from the cache')
  })

  for (const width of [320, WIDE.width]) {
    await t.test(`after a sign-in it shows the bar of the desk, which stays, ${width} pixels wide`, async t => {
      const page = await openSlowly(width)
      await pressSignIn(page, stack)
      const returned = page.waitForRequest(`${stack.callback}?*`)
      await allow(page)
      await returned
      // In one step: the frame's bar is replaced by that of the desk.
      const place = async () => await page.evaluate(() => JSON.stringify(document.querySelector('#page > header.top')?.getBoundingClientRect()))
      await page.locator('#page > header.top').waitFor()
      const before = await place()
      t.same(await page.locator('#sign-in').count(), 0)
      await page.locator('#person').waitFor()
      t.equal(await place(), before)
      await page.getByText('No customers yet').waitFor()
      t.ok((await page.evaluate(readTimes)).shifts < 0.01)
    })
  }

  await t.test('needs no JavaScript', async t => {
    const page = await openPage(t, browser, stack, { javaScriptEnabled: false })
    await page.goto(stack.address('desk'))
    await t.resolves(page.getByRole('heading', { name: 'Customers' }).waitFor())
  })

  await endStack(t, stack)
})

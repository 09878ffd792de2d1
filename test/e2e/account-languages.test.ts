import t from 'tap'
import { check, openPage, skip, startBrowser, WIDE } from '../support/browser.js'
import { visitAccountPages } from '../support/e2e/account-pages.js'
import { addPerson, erika } from '../support/person.js'
import { startStack } from '../support/stack.js'

await t.test('the account pages are accessible in light and dark and fit 320 pixels', { skip }, async t => {
  // The pseudo-language has the longest words; Arabic is mirrored.
  for (const language of ['en-XA', 'ar']) {
    await t.test(`in the language ${language}`, async t => {
      const stack = await startStack(t, ['auth-server'], { DEFAULT_LANGUAGE: language })
      await addPerson(stack, erika)
      const page = await openPage(t, await startBrowser(t), stack, { viewport: WIDE, locale: 'nl' })
      await visitAccountPages(page, stack, async name => {
        t.equal(await page.evaluate(() => document.documentElement.lang), language, name)
        await check(t, page, name)
      })
      await stack.stop()
      t.same(stack.leakCheck.findings(), [])
    })
  }
})

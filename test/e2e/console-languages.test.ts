import type { Page } from 'playwright-core'
import t from 'tap'
import { accessibilityFindings, openPage, skip, startBrowser } from '../support/browser.js'
import { startStack } from '../support/stack.js'

const root = { username: 'root', password: 'Rosas geheimes Passwort' }

/** The pages with the longest words and the widest tables. */
const PATHS = [
  '', '/people', '/people/invite', '/people/import', '/apps', '/add-app?kind=mcp', '/apps/desk?uri=https://x.example', '/apps/desk/edit',
  '/apps/desk/set-up?library=oidc-client-ts', '/apps/desk/implicit?policy=until&date=2099-01-31', '/roles', '/audit', '/keys', '/health'
]

for (const [name, locale, settings] of [
  ['in the pseudo-language', 'en', { DEFAULT_LANGUAGE: 'en-XA' }],
  ['in Arabic, from right to left', 'ar', {}]
] as const) {
  await t.test(`the console ${name}, is accessible and fits 320 pixels`, { skip }, async t => {
    const stack = await startStack(t, ['auth-server'], { ADMIN: 'true', ...settings })
    stack.leakCheck.secret(root.password)
    await stack.register(['user', 'add', root.username, '--role', 'administrator'], `${root.password}\n`)
    const page = await openPage(t, await startBrowser(t), stack, { viewport: { width: 320, height: 640 }, locale })
    const home = `${stack.issuer}/admin`
    await page.goto(home)
    await page.locator('#username').fill(root.username)
    await page.locator('#password').fill(root.password)
    await page.locator('button.primary').click()
    await page.locator('.numbers').waitFor()
    for (const { name, value } of await page.context().cookies()) if (name.startsWith('console-')) stack.leakCheck.token(value)
    await page.goto(`${home}/people?search=${root.username}`)
    const person = await page.locator('tbody a').getAttribute('href')
    for (const path of [...PATHS, person!.replace('/admin', '')]) {
      await page.goto(home + path)
      t.equal(await page.locator('html').getAttribute('dir'), locale === 'ar' ? 'rtl' : 'ltr')
      for (const details of await page.locator('details').all()) await details.evaluate(element => element.setAttribute('open', ''))
      t.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 320, `${path} fits`)
      const code = page.locator('code, pre')
      const directions = await code.evaluateAll(elements => elements.map(element => getComputedStyle(element).direction))
      t.ok(directions.every(direction => direction === 'ltr'), `${path}: code is read from left to right`)
      t.same(await brokenWords(page), [], path)
      t.same(await accessibilityFindings(page), [], path)
    }
  })
}

/** The words of buttons that do not fit on one line. */
async function brokenWords (page: Page): Promise<string[]> {
  return await page.locator('main button:visible').evaluateAll(buttons => buttons.flatMap(button => {
    const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
    const broken: string[] = []
    while (walker.nextNode()) {
      const text = walker.currentNode
      if (text.parentElement!.closest('.unseen')) continue
      for (const { 0: word, index } of text.nodeValue!.matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
      }
    }
    return broken
  }))
}

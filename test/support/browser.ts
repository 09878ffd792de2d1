import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser, type BrowserContextOptions, type Page, type Response } from 'playwright-core'
import type { Test } from 'tap'
import { erika } from './person.js'
import type { Stack } from './stack.js'

// First the Chromium that can only run without a window: it takes a third less CPU.
const PLACES = [
  '/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable', '/opt/google/chrome/chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'
]
const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'
]

const executablePath = process.env.CHROME_PATH || PLACES.find(existsSync)

/** `skip` of a test that needs Chromium: why and what to do where there is none, else `false`. */
export const skip = executablePath === undefined
  ? 'No Chromium was found. Install it (Debian: apt-get install chromium-headless-shell), or set CHROME_PATH to the program of Chromium or Chrome.'
  : false

/** A screen of a computer, and the smallest one (WCAG 2.2, 1.4.10). */
export const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 320, height: 640 }

/** How long a page may take to do what it should, in milliseconds. */
const PAGE_TIMEOUT_MS = 60_000

/** Starts Chromium with an empty profile. */
export async function launch (): Promise<Browser> {
  return await chromium.launch({ executablePath: executablePath!, args: FLAGS })
}

/** Whether other files may follow in this process, whose input ends after the last one. */
const othersFollow = () => process.argv[1]?.endsWith('test-process.js') === true && !process.stdin.readableEnded

/** The Chromium of this process: to start one takes more than most files do with it. */
let shared: Promise<Browser> | undefined

/** Chromium for a test file, which has it for itself until it ends. */
export async function startBrowser (t: Test): Promise<Browser> {
  if (shared === undefined || !(await shared).isConnected()) {
    shared = launch()
    if (othersFollow()) process.stdin.once('end', async () => await (await shared)?.close())
  }
  const browser = await shared
  t.teardown(async () => await (othersFollow() ? Promise.all(browser.contexts().map(context => context.close())) : browser.close()))
  return browser
}

/** A new person's browser with one page. The leak check of the stack sees every answer that any of its pages gets. */
export async function openPage (t: Test, browser: Browser, stack: Stack, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(PAGE_TIMEOUT_MS)
  let closing = false
  const look = async (location: string | null) => {
    stack.leakCheck.answer({ location, cookies: [] })
    const cookies = await context.cookies().catch(error => {
      // What comes while the context closes cannot be asked for any more; it was asked for just before.
      if (closing) return []
      throw error
    })
    stack.leakCheck.answer({ location: null, cookies: cookies.map(({ name, value }) => `${name}=${value}`) })
  }
  const looks: Array<Promise<void>> = []
  context.on('response', response => {
    // Pages set cookies; what they load does not.
    if (response.request().resourceType() === 'document') looks.push(look(response.headers().location ?? null))
    looks.push(lookForTokens(response, stack))
  })
  t.teardown(async () => {
    await Promise.all([...looks, look(null)])
    closing = true
    await context.close()
  })
  return await context.newPage()
}

/** Tells the leak check which tokens a page got from the token endpoint. */
async function lookForTokens (response: Response, { issuer, leakCheck }: Stack): Promise<void> {
  if (response.url() !== `${issuer}/token` || !response.ok() || response.request().method() !== 'POST') return
  // as: RFC 6749 §5.1. A page that has gone meanwhile has no body any more.
  const body = await response.json().catch(() => ({})) as Record<string, string>
  for (const name of ['access_token', 'refresh_token', 'id_token']) if (body[name] !== undefined) leakCheck.token(body[name])
}

/** The button that allows what an app asks for, whatever its text: programs find it by its value, too. */
export const allowButton = (page: Page) => page.locator('button[value=allow]')

/** Fills in the consent page and presses the button that allows. */
export async function allow (page: Page, { username, password } = erika): Promise<void> {
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await allowButton(page).click()
}

/** Signs in at the account page. */
export async function signInToAccount (page: Page, { issuer }: Pick<Stack, 'issuer'>, { username, password } = erika): Promise<void> {
  await page.goto(`${issuer}/account`)
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** How the desk gets its token: with OpenID Connect, unless the developer view says otherwise. */
export type Grant = 'code' | 'implicit'

/** Goes to the desk's first page and presses "Sign in". */
export async function pressSignIn (page: Page, stack: Stack, grant: Grant = 'code', { popup = false } = {}): Promise<void> {
  await page.goto(stack.address('desk'))
  if (grant === 'implicit' || popup) {
    await page.getByRole('switch', { name: 'Developer view' }).check()
    if (grant === 'implicit') await page.getByLabel('Implicit').check()
    if (popup) await page.getByLabel('In a popup').check()
  }
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Goes from the desk's first page to being signed in there. */
export async function signIn (page: Page, stack: Stack, grant: Grant = 'code'): Promise<void> {
  await pressSignIn(page, stack, grant)
  await allow(page)
  await page.locator('#person').waitFor()
}

/** Signs out of the desk. */
export async function signOut (page: Page): Promise<void> {
  await page.locator('#person').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** In a page: until a script has followed the color scheme, which it does by the next frame, and no transition runs. */
async function settled (): Promise<void> {
  await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const transitions = document.getAnimations().filter(animation => animation instanceof CSSTransition)
  // One that is cut off is over, too.
  await Promise.allSettled(transitions.map(async ({ finished }) => await finished))
}

/** What axe-core looks for: in the dark scheme, what depends on colors. */
const RULES = {
  light: { resultTypes: ['violations'] },
  dark: { resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] }
}

/** Whatever axe-core finds wrong with a page, a line a finding, in light and dark. */
export async function accessibilityFindings (page: Page): Promise<string[]> {
  const findings: string[] = []
  // Once a document: its text is long.
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(axe)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(settled)
    // as: axe-core's result, of which this is a part.
    const { violations } = await page.evaluate(
      `axe.run(${JSON.stringify(RULES[colorScheme])})`
    ) as { violations: Array<{ id: string, nodes: Array<{ html: string, failureSummary: string }> }> }
    findings.push(
      ...violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${colorScheme}: ${id}: ${html} ${failureSummary}`))
    )
  }
  return findings
}

/** Checks a page: axe-core finds nothing, and it fits. */
export async function check (t: Test, page: Page, name = page.url().slice(0, 100)): Promise<void> {
  t.same(await accessibilityFindings(page), [], name)
  await fits(t, page, name)
}

/** A small screen needs no horizontal scrolling. */
export async function fits (t: Test, page: Page, name: string): Promise<void> {
  await page.setViewportSize(NARROW)
  t.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= NARROW.width, `${name}: ${NARROW.width} pixels are enough`)
  await page.setViewportSize(WIDE)
}

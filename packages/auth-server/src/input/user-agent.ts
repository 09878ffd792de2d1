import Bowser from 'bowser'
import type { Text } from '../languages/translator.js'

/** Maximum stored length of a user agent, in characters. */
const MAX_USER_AGENT = 256

/** The `User-Agent` of a browser, to store; `null` if it sent none. */
export function userAgentOf ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string | null {
  const value = headers['user-agent']
  return typeof value === 'string' ? value.slice(0, MAX_USER_AGENT) : null
}

/** Name of a program other than a browser, before its version (RFC 9110 §10.1.5). Every browser calls itself `Mozilla`. */
const PRODUCT = /^(?!Mozilla\/)([A-Za-z][\w.-]{0,63})\//

/** Describes a browser by its `User-Agent`: `Firefox on Windows`; another program by its name: `curl`. */
export function describeDevice (userAgent: string | null): Text {
  if (userAgent === null || userAgent === '') return UNKNOWN
  const { browser, os } = Bowser.parse(userAgent)
  return onSystem(browser.name || PRODUCT.exec(userAgent)?.[1] || UNKNOWN, os.name)
}

const UNKNOWN: Text = { key: 'account.unknown-browser' }

function onSystem (browser: Text, system: string | undefined): Text {
  return system ? { key: 'account.browser-on', values: { browser, system } } : browser
}

const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP))
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP))

/**
 * The name of a browser by its `User-Agent`, for an email: `Firefox on Windows`; `undefined`: unknown. Only names of well-known browsers
 * and systems: others could be an attacker's text.
 */
export function knownBrowserName (userAgent: string | null): Text | undefined {
  if (userAgent === null || userAgent === '') return undefined
  const { browser, os } = Bowser.parse(userAgent)
  if (!BROWSERS.has(browser.name ?? '')) return undefined
  return SYSTEMS.has(os.name ?? '') ? onSystem(browser.name!, os.name) : browser.name
}

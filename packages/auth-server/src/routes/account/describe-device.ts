import Bowser from 'bowser'

/** Name of a program that is no browser, before its version (RFC 9110 §10.1.5); `Mozilla` is what every browser calls itself. */
const PRODUCT = /^(?!Mozilla\/)([A-Za-z][\w.-]{0,63})\//

/** A browser in plain words, by its `User-Agent`: `Firefox on Windows`; another program by its name: `curl`. */
export function describeDevice (userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown browser'
  const { browser, os } = Bowser.parse(userAgent)
  return [browser.name || PRODUCT.exec(userAgent)?.[1] || 'Unknown browser', os.name].filter(Boolean).join(' on ')
}

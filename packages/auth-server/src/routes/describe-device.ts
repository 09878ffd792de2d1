import Bowser from 'bowser'

/** A browser in plain words, by its `User-Agent`: `Firefox on Windows`. */
export function describeDevice (userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown browser'
  const { browser, os } = Bowser.parse(userAgent)
  return [browser.name || 'Unknown browser', os.name].filter(Boolean).join(' on ')
}

import type { Test } from 'tap'

const MINUTE_MS = 60_000

/**
 * Sets waits to a minute: no test depends on how fast its machine is.
 * @returns sets them back until the end of a test that is about them
 */
export function lengthen (waits: Record<string, number>): (t: Test) => void {
  const standard = { ...waits }
  const long = Object.fromEntries(Object.keys(waits).map(name => [name, MINUTE_MS]))
  Object.assign(waits, long)
  return t => {
    Object.assign(waits, standard)
    t.teardown(() => Object.assign(waits, long))
  }
}

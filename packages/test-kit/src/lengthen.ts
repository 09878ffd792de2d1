import type { Test } from 'tap'

const MINUTE_MS = 60_000

/**
 * Sets time limits to a minute, so that tests do not depend on the machine's speed.
 * @returns restores them until the end of a test
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

import { setTimeout as sleep } from 'node:timers/promises'
import type { UserImport } from '../stores/users/user-import.js'
import { CHECKS_PER_THREAD, dummyHash, verifyPassword } from './password.js'

/** How long the slowest imported hash that remains is remembered, in milliseconds. */
const REMEMBERED_MS = 10_000

/** How often a check is timed. */
const ROUNDS = 3

/**
 * How much longer than a timed check the interval is: twice, after those that share its thread. Then it ends in the first
 * interval, like the check of a fast hash.
 */
const MARGIN = 2 * CHECKS_PER_THREAD

/** Waits with the response to a failed sign-in. @param startedAt when its check began, as of `performance.now()` */
type WaitForInterval = (startedAt: number) => Promise<void>

/**
 * Makes failed sign-ins take a multiple of an interval, longer than a check of the slowest imported hash, and of one of our own, while
 * any imported one remains. So the time reveals neither whether the account exists, nor its kind of hash. Hashes of disabled users are
 * not checked, and do not count.
 */
export function createEvenTime (
  users: Pick<UserImport, 'findSlowestHash'>, { measure = measureCheck, now = () => performance.now(), wait = sleep } = {}
): WaitForInterval {
  let slowest: ReturnType<UserImport['findSlowestHash']> | undefined
  let foundAt = -Infinity
  let timed: { readonly cost: number, readonly check: Promise<number> } | undefined

  // One after the other: they would slow each other down.
  async function measureBoth (imported: string): Promise<number> {
    return Math.max(await measure(imported), await measure(dummyHash()))
  }

  async function findSlowest () {
    if (slowest === undefined || now() - foundAt > REMEMBERED_MS) {
      foundAt = now()
      slowest = users.findSlowestHash()
      // The next sign-in looks again; this one throws.
      slowest.catch(() => { slowest = undefined })
    }
    return await slowest
  }

  return async startedAt => {
    const found = await findSlowest()
    if (found === null) return
    const { passwordHash, foreignCost } = found
    if (timed?.cost !== foreignCost) {
      timed = { cost: foreignCost, check: measureBoth(passwordHash) }
      timed.check.catch(() => { timed = undefined })
    }
    const interval = MARGIN * await timed.check
    await wait(interval - (now() - startedAt) % interval)
  }
}

/** Times checks of a hash. Returns the shortest, in milliseconds. */
async function measureCheck (passwordHash: string): Promise<number> {
  let shortest = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await verifyPassword(passwordHash, '')
    shortest = Math.min(shortest, performance.now() - start)
  }
  return shortest
}

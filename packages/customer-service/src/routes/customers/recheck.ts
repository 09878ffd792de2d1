/** How often the access token of a long request is checked again, in milliseconds. */
const RECHECK_MS = 5_000

/** Rejects if access has ended. */
export type Recheck = () => Promise<void>

/**
 * Makes a function that checks access again, once in {@link RECHECK_MS} at most, and rejects if the check does.
 * @param now milliseconds of a clock that never goes back
 */
export function makeRecheck (check: Recheck, now = () => performance.now()): Recheck {
  let checked = now()
  return async () => {
    const time = now()
    if (time - checked < RECHECK_MS) return
    await check()
    checked = time
  }
}

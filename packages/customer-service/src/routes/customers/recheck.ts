/** Between checks of a long request's access token, in milliseconds. */
const RECHECK_MS = 5_000

/** Rejects if the access token has expired or was revoked. */
export type Recheck = () => Promise<void>

/** Throttles a check: it runs at most once in {@link RECHECK_MS}. @param now monotonic, in milliseconds */
export function makeRecheck (check: Recheck, now = () => performance.now()): Recheck {
  let checked = now()
  return async () => {
    const time = now()
    if (time - checked < RECHECK_MS) return
    await check()
    checked = time
  }
}

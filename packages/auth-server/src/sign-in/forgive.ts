import { isUnavailable } from '@frontdesk/database/unavailable'
import { setTimeout } from 'node:timers/promises'
import pRetry from 'p-retry'

/** How long a response waits for it, in milliseconds. */
const MAX_WAIT_MS = 500

/** Backoff of the retries, in milliseconds. */
const RETRIES = { minTimeout: 100, maxTimeout: 500, maxRetryTime: 120_000, retries: 1_000, unref: true }

/**
 * Sets a counter of failures back, and retries in the background while the database is unavailable: what fails by the fault of this
 * server must not count. Resolves after at most {@link MAX_WAIT_MS}, and never rejects.
 */
export async function forgive (setBack: () => Promise<unknown>): Promise<void> {
  // If all retries fail, the attempt counts until its window ends.
  const done = pRetry(setBack, { ...RETRIES, shouldRetry: ({ error }) => isUnavailable(error) }).catch(() => {})
  await Promise.race([done, setTimeout(MAX_WAIT_MS, undefined, { ref: false })])
}

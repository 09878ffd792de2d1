import { isUnavailable } from '@frontdesk/database/unavailable'
import { setTimeout } from 'node:timers/promises'
import pRetry from 'p-retry'

/** How long a response waits, in milliseconds: errors are due 3 s after their request. */
const MAX_WAIT_MS = 500

/** Backoff of the retries, in milliseconds. */
const RETRIES = { minTimeout: 100, maxTimeout: 500, maxRetryTime: 120_000, retries: 1_000, unref: true }

/**
 * Retries `work` in the background while the database is unavailable. Resolves after {@link MAX_WAIT_MS} at most, and never rejects,
 * even if all retries fail.
 */
export async function retryInBackground (work: () => Promise<unknown>): Promise<void> {
  const ended = pRetry(work, { ...RETRIES, shouldRetry: ({ error }) => isUnavailable(error) }).catch(() => {})
  await Promise.race([ended, setTimeout(MAX_WAIT_MS, undefined, { ref: false })])
}

import pLimit from 'p-limit'
import pRetry, { AbortError } from 'p-retry'
import type { Mail, Mailer } from './mailer.js'
import { isRefused } from './smtp.js'

/** Emails that are sent concurrently. */
const MAX_CONCURRENT = 4
/** Maximum emails that are waiting or being sent. */
const MAX_QUEUED_EMAILS = 1_000
/** Maximum age of an email at an attempt, in milliseconds. After that, users have requested another one. */
const MAX_AGE_MS = 10 * 60_000
/** Retries, and the delay before the first one in milliseconds: 5, 20 and 80 seconds. */
const RETRIES = 3
const RETRY_DELAY_MS = 5_000
/** How long {@link Outbox.close} waits for emails, in milliseconds. */
const CLOSE_GRACE_MS = 3_000

/** Why an email was not sent; `null`: it was. */
export type Failure = Error | null

/** Sends emails in the background, with retries. Keeps them in memory: links could be stolen from a database. */
export interface Outbox {
  /** Queues an email. `ended` is called once. */
  put (mail: Mail, ended: (failure: Failure) => void): void
  /** Waits a few seconds for the emails, then drops the rest. */
  close (): Promise<void>
}

/**
 * @param times in milliseconds: `retryDelay` before the first retry, four times as long before each next one; `closeGrace` of
 *   {@link Outbox.close}
 */
export function createOutbox (mailer: Mailer, { retryDelay = RETRY_DELAY_MS, closeGrace = CLOSE_GRACE_MS } = {}): Outbox {
  const limit = pLimit(MAX_CONCURRENT)
  const stop = new AbortController()
  const running = new Set<Promise<void>>()

  async function attempt (mail: Mail, latest: number): Promise<void> {
    stop.signal.throwIfAborted()
    if (performance.now() > latest) throw new AbortError('the email has waited for too long')
    await mailer.send(mail, stop.signal).catch(error => { throw isRefused(error) ? new AbortError(error) : error })
  }

  async function send (mail: Mail): Promise<Failure> {
    const latest = performance.now() + MAX_AGE_MS
    try {
      // Only attempts are limited, so that no other email waits while this one waits for a retry.
      await pRetry(async () => await limit(attempt, mail, latest), {
        retries: RETRIES, factor: 4, minTimeout: retryDelay, signal: stop.signal
      })
      return null
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  return {
    put (mail, ended) {
      if (running.size === MAX_QUEUED_EMAILS) return ended(new Error('too many emails are waiting'))
      const sent = send(mail).then(ended)
      running.add(sent)
      sent.finally(() => running.delete(sent)).catch(() => {})
    },
    async close () {
      const timer = setTimeout(() => stop.abort(new Error('the server stops')), closeGrace)
      await Promise.allSettled(running)
      clearTimeout(timer)
    }
  }
}

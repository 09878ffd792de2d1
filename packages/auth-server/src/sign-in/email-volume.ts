import type { Throttles } from '../stores/operation/throttles.js'
import { mailEnded } from '../telemetry/events.js'
import { createCounters } from './counters.js'

interface Options {
  readonly throttles: Throttles
  /** Maximum emails in an hour, to all addresses. */
  readonly perHour: number
  readonly log: { readonly warn: (message: string) => void }
}

/**
 * Makes the function that counts an email to a person who wants to sign up, before it is known whether one is sent. It returns how many
 * seconds to wait if there are too many, else 0; and how to take it back, which never rejects.
 */
export function createEmailVolume ({ throttles, perHour, log }: Options) {
  const limit = throttles.under({ name: 'sign-up mails', points: perHour, duration: 60 * 60 })
  return async () => {
    const counter = createCounters([limit], ['all'])
    const { retryAfter, used } = await counter.count()
    if (retryAfter > 0) mailEnded.publish({ outcome: 'limited' })
    // Exactly: only the first refusal is logged.
    if (used === 1) log.warn('SIGN_UP_EMAILS is reached: people who want to create an account have to wait, for up to an hour')
    return { retryAfter, takeBack: counter.takeBack }
  }
}

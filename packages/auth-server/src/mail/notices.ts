import type { Profiles } from '../stores/users/profiles.js'
import { mailEnded } from '../telemetry/events.js'
import type { Mail } from './mailer.js'
import { recipientOf, type Recipient } from './recipient.js'
import type { Outbox } from './outbox.js'

/** The recipient of a notice, and the name of the site. */
export interface NoticeFacts extends Recipient { readonly site: string }

/** Emails a user about a change of their account. Does nothing if email is off, or the user has no verified address. Never throws. */
export type Notify = (userId: string, write: (facts: NoticeFacts) => Mail) => Promise<void>

interface Options {
  readonly profiles: Pick<Profiles, 'find'>
  /** `undefined`: email is off. */
  readonly outbox: Outbox | undefined
  readonly site: string
  /** Called with the reason if an email was not sent. */
  readonly onFailure: (reason: unknown, userId: string) => void
}

/** Makes {@link Notify}: emails are sent in the background. */
export function createNotify ({ profiles, outbox, site, onFailure }: Options): Notify {
  if (outbox === undefined) return async () => {}
  return async (userId, write) => {
    try {
      const profile = await profiles.find(userId)
      const recipient = profile && recipientOf(profile)
      if (recipient === null) return
      outbox.put(write({ ...recipient, site }), failure => {
        mailEnded.publish({ outcome: failure === null ? 'sent' : 'failed' })
        if (failure !== null) onFailure(failure, userId)
      })
    } catch (error) {
      // The change is made: its page must be shown.
      onFailure(error, userId)
    }
  }
}

import type { Translator } from '../languages/translator.js'
import type { UserProfile } from '../stores/users/profiles.js'
import type { Stores } from '../stores/stores.js'
import { createEmailLimit } from './email-limit.js'
import type { MailPasswordLink } from './mail-password-link.js'
import { createMailQueue, type Note } from './mail-queue.js'

/** Maximum emails to one user or address: one in five minutes, and five a day. */
export const EMAILS_ON_REQUEST = [{ points: 1, duration: 5 * 60 }, { points: 5, duration: 24 * 60 * 60 }]

/** Longer user names and addresses are not looked up. */
const MAX_TYPED_LENGTH = 256

/** How a link is requested. */
interface Asked {
  /** Address of the browser. */
  readonly source: string
  /** Of an email to a user without a language. */
  readonly language: Translator['language']
  /** The authorization request to resume afterwards, as a query string. */
  readonly request: string | undefined
}

/** Emails links to users who forgot their password. The response depends only on the source, never on the name. */
interface ForgottenPasswords {
  /**
   * Queues a request. Returns how many seconds to wait if the source has sent too many requests or too many are queued, else 0.
   * @param typed a user name or an email address
   */
  request (typed: string, asked: Asked, note: Note): Promise<number>
  /** Waits for queued requests, for a few seconds. */
  close (): Promise<void>
}

interface Options {
  stores: Pick<Stores, 'profiles' | 'throttles' | 'users'>
  mailLink: MailPasswordLink
}

export function createForgottenPasswords ({ stores: { profiles, throttles, users }, mailLink }: Options): ForgottenPasswords {
  const limit = createEmailLimit(throttles, 'password mail', EMAILS_ON_REQUEST)
  const queue = createMailQueue()

  async function mail (user: UserProfile & { email: string }, { language, request }: Asked, note: Note) {
    const { id: userId, username } = user
    // Counted first, so that only one of several concurrent requests sends an email.
    if (await limit.ofUser(userId) > 0) return note({ outcome: 'throttled', userId })
    const holder = await users.find(username)
    if (holder?.id !== userId) return
    await mailLink(holder, { ...user, language, request }, failure =>
      note(failure === null ? { outcome: 'sent', userId } : { outcome: 'failed', userId, failure }))
  }

  return {
    request: async (typed, asked, note) => await limit.ofSource(asked.source) || queue.add(async () => {
      const recipients = typed.length > MAX_TYPED_LENGTH ? [] : await profiles.findRecipients(typed)
      if (recipients.length === 0) note({ outcome: 'unknown' })
      for (const recipient of recipients) await mail(recipient, asked, note)
    }, note),
    close: queue.close
  }
}

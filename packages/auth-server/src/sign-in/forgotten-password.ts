import type { UserProfile } from '../stores/users/profiles.js'
import type { Stores } from '../stores/stores.js'
import { createEmailLimit } from './email-limit.js'
import type { MailPasswordLink } from './mail-password-link.js'
import { createMailQueue, type Note } from './mail-queue.js'

/** Maximum emails to one user or address: one in five minutes, and five a day. */
export const EMAILS_ON_REQUEST = [{ points: 1, duration: 5 * 60 }, { points: 5, duration: 24 * 60 * 60 }]

/** Longer user names and addresses are not looked up. */
const MAX_TYPED_LENGTH = 256

/** Emails links to users who forgot their password. The response depends only on the source, never on the name. */
interface ForgottenPasswords {
  /**
   * Queues a request. Returns how many seconds to wait if the source has sent too many requests or too many are queued, else 0.
   * @param typed a user name or an email address
   * @param authorization the authorization request to resume afterwards, as a query string
   */
  request (typed: string, address: string, authorization: string | undefined, note: Note): Promise<number>
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

  async function mail ({ id: userId, username, name, email }: UserProfile & { email: string }, request: string | undefined, note: Note) {
    // Counted first, so that only one of several concurrent requests sends an email.
    if (await limit.ofUser(userId) > 0) return note({ outcome: 'throttled', userId })
    const holder = await users.find(username)
    if (holder?.id !== userId) return
    await mailLink(holder, { name, address: email, request }, failure =>
      note(failure === null ? { outcome: 'sent', userId } : { outcome: 'failed', userId, failure }))
  }

  return {
    request: async (typed, address, authorization, note) => await limit.ofSource(address) || queue.add(async () => {
      const recipients = typed.length > MAX_TYPED_LENGTH ? [] : await profiles.findRecipients(typed)
      if (recipients.length === 0) note({ outcome: 'unknown' })
      for (const recipient of recipients) await mail(recipient, authorization, note)
    }, note),
    close: queue.close
  }
}

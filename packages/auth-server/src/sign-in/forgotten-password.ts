import pLimit from 'p-limit'
import type { UserProfile } from '../stores/users/profiles.js'
import type { Stores } from '../stores/stores.js'
import { createEmailLimit } from './email-limit.js'
import type { MailPasswordLink } from './mail-password-link.js'

/** Maximum emails to one user: one in five minutes, and five a day. */
const EMAILS_PER_USER = [{ points: 1, duration: 5 * 60 }, { points: 5, duration: 24 * 60 * 60 }]

/** Maximum queued requests, which are processed one after the other. */
const MAX_QUEUED_REQUESTS = 1_000
/** How long {@link ForgottenPasswords.close} waits for them, in milliseconds. */
const CLOSE_GRACE_MS = 2_000

/** Longer user names and addresses are not looked up. */
const MAX_TYPED_LENGTH = 256

/** Outcome of a request, for the audit trail. `unknown`: no user with that name can get email. */
export type Outcome = { readonly outcome: 'sent' | 'throttled', readonly userId: string } |
  { readonly outcome: 'failed', readonly userId: string | null, readonly failure: Error } |
  { readonly outcome: 'unknown' }

/** Emails links to users who forgot their password. The response depends only on the source, never on the name. */
interface ForgottenPasswords {
  /**
   * Queues a request, so that the response takes the same time for every name. Returns how many seconds to wait if the source has sent
   * too many requests or too many are queued, else 0.
   * @param typed a user name or an email address
   * @param authorization the authorization request to resume afterwards, as a query string
   * @param note called later with the outcome
   */
  request (typed: string, address: string, authorization: string | undefined, note: (outcome: Outcome) => void): Promise<number>
  /** Waits for queued requests, for a few seconds. */
  close (): Promise<void>
}

interface Options {
  stores: Pick<Stores, 'profiles' | 'throttles' | 'users'>
  mailLink: MailPasswordLink
}

export function createForgottenPasswords ({ stores: { profiles, throttles, users }, mailLink }: Options): ForgottenPasswords {
  const limit = createEmailLimit(throttles, 'password mail', EMAILS_PER_USER)
  const inTurn = pLimit(1)

  async function mail (
    { id: userId, username, name, email }: UserProfile & { email: string }, request: string | undefined, note: (outcome: Outcome) => void
  ) {
    // Counted first, so that only one of several concurrent requests sends an email.
    if (await limit.ofUser(userId) > 0) return note({ outcome: 'throttled', userId })
    const holder = await users.find(username)
    if (holder?.id !== userId) return
    await mailLink(holder, { name, address: email, request }, failure =>
      note(failure === null ? { outcome: 'sent', userId } : { outcome: 'failed', userId, failure }))
  }

  return {
    async request (typed, address, authorization, note) {
      const retryAfter = await limit.ofSource(address)
      if (retryAfter > 0) return retryAfter
      if (inTurn.pendingCount >= MAX_QUEUED_REQUESTS) return 2
      inTurn(async () => {
        const recipients = typed.length > MAX_TYPED_LENGTH ? [] : await profiles.findRecipients(typed)
        if (recipients.length === 0) note({ outcome: 'unknown' })
        for (const recipient of recipients) await mail(recipient, authorization, note)
      }).catch(error => note({ outcome: 'failed', userId: null, failure: error }))
      return 0
    },
    async close () {
      let timer: NodeJS.Timeout | undefined
      await Promise.race([inTurn(() => {}), new Promise<void>(resolve => { timer = setTimeout(resolve, CLOSE_GRACE_MS) })])
      clearTimeout(timer)
    }
  }
}

import pLimit from 'p-limit'
import { FORGOTTEN_LINK_TTL } from '../lifetimes.js'
import type { Failure, Outbox } from '../mail/outbox.js'
import { writePasswordMail } from '../mail/password-mail.js'
import type { Person } from '../stores/users/profiles.js'
import type { Stores } from '../stores/stores.js'
import { createCounters } from './counters.js'
import type { PasswordLinks } from './password-link.js'
import { sourcesOf } from './source.js'

/** Most requests from one source in 15 minutes: an IPv4 address or a /64, then a /56 and a /48. */
const REQUESTS = [10, 20, 40].map(points => ({ name: 'forgotten', points, duration: 15 * 60 }))

/** Maximum emails to one user: one in five minutes, and five a day. */
const MAILS = [{ name: 'mail', points: 1, duration: 5 * 60 }, { name: 'mails', points: 5, duration: 24 * 60 * 60 }]

/** Maximum requests that wait to be looked up, one after the other. */
const MAX_QUEUED_REQUESTS = 1_000
/** How long {@link ForgottenPasswords.close} waits for them, in milliseconds. */
const CLOSE_GRACE_MS = 2_000

/** Longest user name or address that is looked up. */
const MAX_TYPED = 256

/** Outcome of a request, for the audit trail. `unknown`: no user with that name can get email. */
export type Outcome = { readonly outcome: 'sent' | 'throttled', readonly userId: string } |
  { readonly outcome: 'failed', readonly userId: string | null, readonly failure: Error } |
  { readonly outcome: 'unknown' }

/** Emails links to users who forgot their password. The response depends only on the source, never on the name. */
interface ForgottenPasswords {
  /**
   * Queues a request and returns before it is looked up, so that the response takes the same time for every name. Returns how many
   * seconds to wait if the source has sent too many requests or too many are queued, else 0.
   * @param typed a user name or an email address
   * @param request the authorization request that the person came from, as a query string
   * @param note called later with the outcome
   */
  ask (typed: string, address: string, request: string | undefined, note: (outcome: Outcome) => void): Promise<number>
  /** Waits for the look-ups, for a few seconds. */
  close (): Promise<void>
}

interface Options {
  stores: Pick<Stores, 'profiles' | 'throttles' | 'users'>
  passwordLinks: PasswordLinks
  outbox: Outbox
  issuer: string
  /** The account's site, for the emails. */
  site: string
  now: () => Date
}

/** Makes {@link ForgottenPasswords}. */
export function createForgottenPasswords (
  { stores: { profiles, throttles, users }, passwordLinks, outbox, issuer, site, now }: Options
): ForgottenPasswords {
  const [bySource, byPerson] = [REQUESTS.map(it => throttles.under(it)), MAILS.map(it => throttles.under(it))]
  const inTurn = pLimit(1)

  async function mail (person: Person & { email: string }, request: string | undefined, note: (outcome: Outcome) => void) {
    const { id: userId, username, name, email } = person
    // Counted first: of concurrent requests, one sends an email.
    const { retryAfter } = await createCounters(byPerson, [userId, userId]).count()
    if (retryAfter > 0) return note({ outcome: 'throttled', userId })
    const holder = await users.find(username)
    if (holder?.id !== userId) return
    const purpose = { mailedTo: email, ttl: FORGOTTEN_LINK_TTL, ...(request === undefined ? {} : { request }) }
    const link = `${issuer}/set-password?link=${await passwordLinks.issue(holder, purpose, now())}`
    const to = { name: name ?? username, address: email }
    outbox.put(
      writePasswordMail({ to, username, link, hours: FORGOTTEN_LINK_TTL / 3_600, isInvitation: false, site }),
      (failure: Failure) => note(failure === null ? { outcome: 'sent', userId } : { outcome: 'failed', userId, failure })
    )
  }

  return {
    async ask (typed, address, request, note) {
      const { retryAfter } = await createCounters(bySource, sourcesOf(address)).count()
      if (retryAfter > 0) return retryAfter
      if (inTurn.pendingCount >= MAX_QUEUED_REQUESTS) return 2
      inTurn(async () => {
        const people = typed.length > MAX_TYPED ? [] : await profiles.findRecipients(typed)
        if (people.length === 0) note({ outcome: 'unknown' })
        for (const person of people) await mail(person, request, note)
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

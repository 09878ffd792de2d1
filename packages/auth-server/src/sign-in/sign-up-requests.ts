import { SIGN_UP_LINK_TTL } from '../lifetimes.js'
import type { Outbox } from '../mail/outbox.js'
import { writeKnownAddressMail, writeSignUpMail } from '../mail/sign-up-mail.js'
import { foldEmail } from '../stores/users/user-columns.js'
import type { Stores } from '../stores/stores.js'
import { createEmailLimit } from './email-limit.js'
import { EMAILS_ON_REQUEST } from './forgotten-password.js'
import { createMailQueue, type Note } from './mail-queue.js'
import { hashOpaqueToken } from './opaque-token.js'
import type { SignUp, SignUpLinks } from './sign-up-link.js'

interface Options {
  readonly stores: Pick<Stores, 'profiles' | 'signUpCodes' | 'throttles'>
  readonly links: SignUpLinks
  readonly outbox: Outbox
  readonly issuer: string
  /** The name of the site in emails. */
  readonly site: string
  readonly now: () => Date
}

/**
 * Emails people who want to sign up: a link or, if an account has the verified address, that it does. The response depends only on the
 * source and the invitation code, never on the address.
 */
interface SignUpRequests {
  /** Queues a request. `retryAfter`: seconds to wait if the source has sent too many requests or too many are queued. */
  request (signUp: SignUp, address: string, note: Note): Promise<'queued' | 'wrong code' | { readonly retryAfter: number }>
  /** Waits for queued requests, for a few seconds. */
  close (): Promise<void>
}

export function createSignUpRequests ({ stores, links, outbox, issuer, site, now }: Options): SignUpRequests {
  const { profiles, signUpCodes } = stores
  const limit = createEmailLimit(stores.throttles, 'sign-up mail', EMAILS_ON_REQUEST)
  const queue = createMailQueue()

  async function write (signUp: SignUp, usernames: readonly string[]) {
    const { email: address, request } = signUp
    const to = { name: '', address }
    if (usernames.length > 0) {
      const signIn = request === undefined ? `${issuer}/account` : `${issuer}/consent?${request}`
      return writeKnownAddressMail({ to, usernames, site, link: signIn, forgotPassword: `${issuer}/forgot-password` })
    }
    const link = `${issuer}/create-account?link=${await links.issue(signUp, now())}`
    return writeSignUpMail({ to, site, link, hours: SIGN_UP_LINK_TTL / 3_600 })
  }

  async function send (signUp: SignUp, note: Note) {
    // Counted first, so that only one of several concurrent requests sends an email. By a hash: the address is not proven.
    if (await limit.ofUser(hashOpaqueToken(foldEmail(signUp.email))) > 0) return note({ outcome: 'throttled', userId: null })
    const holders = await profiles.findHolders(signUp.email)
    const userId = holders[0]?.id ?? null
    outbox.put(await write(signUp, holders.map(({ username }) => username)), failure =>
      note(failure === null ? { outcome: 'sent', userId } : { outcome: 'failed', userId, failure }))
  }

  return {
    async request (signUp, address, note) {
      // First: codes must not be guessed.
      const retryAfter = await limit.ofSource(address)
      if (retryAfter > 0) return { retryAfter }
      if (signUp.codeHash !== undefined && !await signUpCodes.isLive(signUp.codeHash)) return 'wrong code'
      const wait = queue.add(async () => await send(signUp, note), note)
      return wait > 0 ? { retryAfter: wait } : 'queued'
    },
    close: queue.close
  }
}

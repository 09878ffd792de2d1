import { SIGN_UP_LINK_TTL } from '../lifetimes.js'
import type { Outbox } from '../mail/outbox.js'
import { findLanguage } from '../languages/languages.js'
import { translator, type Translator } from '../languages/translator.js'
import { writeKnownAddressMail } from '../mail/known-address-mail.js'
import { writeLinkMail } from '../mail/link-mail.js'
import { foldUsername } from '../stores/users/user-columns.js'
import type { Stores } from '../stores/stores.js'
import { createEmailLimit } from './email-limit.js'
import { createEmailVolume } from './email-volume.js'
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
  /** Maximum emails in an hour, to all addresses. */
  readonly emailsPerHour: number
  readonly log: { readonly warn: (message: string) => void }
}

/** How an email is requested: from which address, and on a page in which language. */
interface Asked { readonly source: string, readonly language: Translator['language'] }

/**
 * Emails people who want to sign up: a link or, if an account has the verified address, that it does. The response depends only on the
 * source and the invitation code, never on the address.
 */
interface SignUpRequests {
  /**
   * Queues a request. `retryAfter`: seconds to wait if the source has sent too many requests or, if `isBusy`, too many emails were sent to
   * anyone or are queued.
   */
  request (
    signUp: SignUp, asked: Asked, note: Note
  ): Promise<'queued' | 'wrong code' | { readonly retryAfter: number, readonly isBusy: boolean }>
  /** Waits for queued requests, for a few seconds. */
  close (): Promise<void>
}

export function createSignUpRequests ({ stores, links, outbox, issuer, site, now, emailsPerHour, log }: Options): SignUpRequests {
  const { profiles, signUpCodes } = stores
  const limit = createEmailLimit(stores.throttles, 'sign-up mail', EMAILS_ON_REQUEST)
  const countEmail = createEmailVolume({ throttles: stores.throttles, perHour: emailsPerHour, log })
  const queue = createMailQueue()

  async function write (signUp: SignUp, usernames: readonly string[], t: Translator) {
    const to = { name: '', address: signUp.email }
    // Without the app's request: anyone can send it with someone else's address.
    const pages = { link: `${issuer}/account`, forgotPassword: `${issuer}/forgot-password` }
    if (usernames.length > 0) return writeKnownAddressMail({ to, t, usernames, site, ...pages })
    const link = `${issuer}/create-account?link=${await links.issue(signUp, now())}`
    return writeLinkMail({ to, t, username: '', purpose: 'sign-up', site, link, hours: SIGN_UP_LINK_TTL / 3_600 })
  }

  async function send (signUp: SignUp, language: Translator['language'], note: Note) {
    const holders = await profiles.findHolders(signUp.email)
    const userId = holders[0]?.id ?? null
    const t = await translator(findLanguage(holders.map(({ locale }) => locale ?? '')) ?? language)
    outbox.put(await write(signUp, holders.map(({ username }) => username), t), failure =>
      note(failure === null ? { outcome: 'sent', userId } : { outcome: 'failed', userId, failure }))
  }

  return {
    async request (signUp, { source, language }, note) {
      // First: codes must not be guessed.
      const wait = await limit.ofSource(source)
      if (wait > 0) return { retryAfter: wait, isBusy: false }
      if (signUp.codeHash !== undefined && !await signUpCodes.isLive(signUp.codeHash)) return 'wrong code'
      // Before it is known whether an email is sent: the response must not depend on the address.
      const { retryAfter, takeBack } = await countEmail()
      if (retryAfter > 0) return { retryAfter, isBusy: true }
      const busyFor = queue.add(async () => {
        // Counted first, so that only one of several concurrent requests sends an email. By a hash: the address is not proven.
        if (await limit.ofUser(hashOpaqueToken(mailboxOf(signUp.email))) === 0) return await send(signUp, language, note)
        note({ outcome: 'throttled', userId: null })
        await takeBack()
      }, note)
      if (busyFor === 0) return 'queued'
      await takeBack()
      return { retryAfter: busyFor, isBusy: true }
    },
    close: queue.close
  }
}

/** Key of an address for limits: for many servers, case, compatibility forms and what follows a plus make no difference. */
function mailboxOf (email: string): string {
  return foldUsername(email).replace(/\+[^@]*@/, '@')
}

import type { MessageKey } from '../languages/languages.js'
import type { Message, Translator } from '../languages/translator.js'
import { NOT_ME_LINK_TTL } from '../lifetimes.js'
import type { Profiles } from '../stores/users/profiles.js'
import type { FactorId } from '../stores/users/takeovers.js'
import { mailEnded } from '../telemetry/events.js'
import { writeLetter } from './letter.js'
import type { Mail } from './mailer.js'
import { recipientOf, type Recipient } from './recipient.js'
import type { Outbox } from './outbox.js'

/** What can happen to an account. */
export type Occurrence = MessageKey extends infer Key ? Key extends `notice.${infer Name}.says` ? Name : never : never

/** What happened to an account, in an email to its user. */
export interface Notice {
  readonly what: Occurrence
  /** How often. */
  readonly values?: { readonly count: number }
  /** A second paragraph. */
  readonly facts?: Message
  /** The factor that was added, which the link removes. */
  readonly factor?: FactorId | undefined
  /** What to do about it. */
  readonly advice?: 'notice.advice' | 'notice.advice-administrator' | 'notice.advice-address'
}

/** What a link in an email is about. */
export type Announcement = Pick<Notice, 'what' | 'factor'> & {
  readonly userId: string
  /** The address that receives it. */
  readonly mailedTo: string
}

/** The recipient of an email, the name of the site, and the link for users who did not make the change. */
interface NoticeFacts extends Recipient { readonly site: string, readonly link: string }

const DAYS = NOT_ME_LINK_TTL / (24 * 60 * 60)

/** Writes the email. */
export function writeNotice (
  { what, values, facts, advice = 'notice.advice' }: Notice, { to, t, username, site, link }: NoticeFacts
): Mail {
  return writeLetter({
    to,
    t,
    subject: t('notice.subject', { what: t(`notice.${what}`), site }),
    before: [
      t(`notice.${what}.says`, { site, ...values }), ...facts ? [t(facts)] : [], t('mail.username', { username }), t(advice, { days: DAYS })
    ],
    link,
    action: t('notice.link'),
    after: []
  })
}

/** Emails a user about a change of their account. Does nothing if email is off, or the user has no verified address. Never throws. */
export type Notify = (userId: string, notice: Notice) => Promise<void>

interface Options {
  readonly profiles: Pick<Profiles, 'find'>
  /** `undefined`: email is off. */
  readonly outbox: Outbox | undefined
  readonly site: string
  /** For users without a language. Not the request's: someone else can have made the change. */
  readonly defaultLanguage: Translator['language']
  /** Issues the link of an email. */
  readonly issueLink: (about: Announcement) => Promise<string>
  /** Called with the reason if an email was not sent. */
  readonly onFailure: (reason: unknown, userId: string) => void
}

/** Makes {@link Notify}: emails are sent in the background. */
export function createNotify ({ profiles, outbox, site, defaultLanguage, issueLink, onFailure }: Options): Notify {
  if (outbox === undefined) return async () => {}
  return async (userId, notice) => {
    try {
      const profile = await profiles.find(userId)
      const recipient = profile && await recipientOf(profile, defaultLanguage)
      if (recipient === null) return
      const { what, factor } = notice
      const link = await issueLink({ userId, mailedTo: recipient.to.address, what, factor })
      outbox.put(writeNotice(notice, { ...recipient, site, link }), failure => {
        mailEnded.publish({ outcome: failure === null ? 'sent' : 'failed' })
        if (failure !== null) onFailure(failure, userId)
      })
    } catch (error) {
      // The change is made: its page must be shown.
      onFailure(error, userId)
    }
  }
}

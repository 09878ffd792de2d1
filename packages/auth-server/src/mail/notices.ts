import { NOT_ME_LINK_TTL } from '../lifetimes.js'
import type { Profiles } from '../stores/users/profiles.js'
import type { FactorId } from '../stores/users/takeovers.js'
import { mailEnded } from '../telemetry/events.js'
import { writeLetter } from './letter.js'
import type { Mail } from './mailer.js'
import { recipientOf, type Recipient } from './recipient.js'
import type { Outbox } from './outbox.js'

/** What happened to an account, in an email to its user. */
export interface Notice {
  /** In a few words, such as `A passkey was added`. */
  readonly what: string
  /** In paragraphs. @param site name of the site */
  readonly says: (site: string) => readonly string[]
  /** The factor that was added, which the link removes. */
  readonly factor?: FactorId | undefined
  /** Begins the advice. Default: {@link DOUBT} */
  readonly doubt?: string
  /** What the link of the email is for. Default: {@link REMEDY} */
  readonly remedy?: string
}

/** What a link in an email is about. */
export type Announcement = Pick<Notice, 'what' | 'factor'> & {
  readonly userId: string
  /** The address that receives it. */
  readonly mailedTo: string
}

/** The recipient of an email, the name of the site, and the link for users who did not make the change. */
interface NoticeFacts extends Recipient { readonly site: string, readonly link: string }

const DOUBT = 'If this wasn\'t you'
const REMEDY = 'sign everyone out and set a new password'

/** Writes the email. */
export function writeNotice ({ what, says, doubt = DOUBT, remedy = REMEDY }: Notice, { to, username, site, link }: NoticeFacts): Mail {
  const days = NOT_ME_LINK_TTL / (24 * 60 * 60)
  return writeLetter({
    to,
    subject: `${what} at ${site}`,
    before: [...says(site), `Your user name is ${username}.`, `${doubt}, open this link within ${days} days to ${remedy}:`],
    link,
    action: 'This wasn\'t me',
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
  /** Issues the link of an email. */
  readonly issueLink: (about: Announcement) => Promise<string>
  /** Called with the reason if an email was not sent. */
  readonly onFailure: (reason: unknown, userId: string) => void
}

/** Makes {@link Notify}: emails are sent in the background. */
export function createNotify ({ profiles, outbox, site, issueLink, onFailure }: Options): Notify {
  if (outbox === undefined) return async () => {}
  return async (userId, notice) => {
    try {
      const profile = await profiles.find(userId)
      const recipient = profile && recipientOf(profile)
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

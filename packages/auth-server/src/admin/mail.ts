import { DAY_MS } from '../lifetimes.js'
import { createSmtpMailer } from '../mail/smtp.js'
import { explainSmtpFailure } from '../mail/smtp-failure.js'
import { siteName } from '../settings/site-name.js'
import { sendsMail } from '../settings/mail.js'
import type { Config } from '../config.js'
import type { Stores } from '../stores/stores.js'
import type { UserKey } from '../stores/users/user-columns.js'
import type { Actor } from './actor.js'
import { readEvents, record, type NamedEvent, type Recording } from './audit.js'
import { conflict } from './refusal.js'
import { findDetails } from './user-details.js'
import { reason } from '../languages/reason.js'

/** Whether email is sent, through which server, and whether the emails that users requested in the last day were sent. */
interface MailState {
  /** `host:port`; `null` if no email is sent. */
  readonly server: string | null
  /** Sender; `null` if no email is sent. */
  readonly from: string | null
  /** Emails of the last day, the newest 10,000. */
  readonly lastDay: { readonly sent: number, readonly failed: number }
  /** Emails that were not sent, newest first: at most 20 of those. */
  readonly failures: readonly NamedEvent[]
}

const MAX_FAILURES = 20

/** Reads whether email works. */
export async function readMailState (
  stores: Pick<Stores, 'users' | 'audit' | 'clock' | 'overview'>, { mail }: Pick<Config, 'mail'>
): Promise<MailState> {
  const since = (now: Date) => new Date(now.getTime() - DAY_MS)
  const [outcomes, { items: failures }] = await Promise.all([
    stores.overview.outcomes('mail', stores.clock.now()),
    readEvents(stores, { event: 'mail', outcome: 'failed', since, limit: MAX_FAILURES })
  ])
  const { server, from } = sendsMail(mail) ? mail : { server: null, from: null }
  return {
    server: server && `${server.host}:${server.port}`,
    from: from && from.address,
    lastDay: { sent: outcomes.get('sent') ?? 0, failed: outcomes.get('failed') ?? 0 },
    failures
  }
}

/** Test emails to a user in an hour. */
const LIMIT = { name: 'test mail', points: 10, duration: 60 * 60 }

/**
 * Sends a test email to the verified address of a user, with the server's SMTP_URL. Resolves when the mail server has accepted it.
 * @returns the address
 * @throws Refusal if the user has no verified address, email is not configured, or the mail server does not accept it
 */
export async function sendTestMail (
  stores: Pick<Stores, 'users' | 'profiles' | 'roles' | 'throttles'> & Recording,
  key: UserKey,
  config: Pick<Config, 'mail' | 'brand' | 'defaultLanguage' | 'issuer'>,
  by: Actor
): Promise<{ readonly mailedTo: string }> {
  const user = await findDetails(stores, key)
  const { mail, defaultLanguage } = config
  // Loaded on demand, with the languages.
  const [{ recipientOf }, { writeLetter }] = [await import('../mail/recipient.js'), await import('../mail/letter.js')]
  const recipient = await recipientOf(user, defaultLanguage)
  if (recipient === null) throw conflict('email', reason('reason.test-mail-address'))
  if (!sendsMail(mail)) throw conflict('mail', reason('reason.mail-off'))
  const { retryAfter } = await stores.throttles.under(LIMIT).count(user.id)
  if (retryAfter > 0) throw conflict('mail', reason('reason.test-mail-many', { count: LIMIT.points }))

  const [{ t, to }, site] = [recipient, siteName(config)]
  const letter = { to, t, subject: t('mail.test.subject', { site }), before: [t('mail.test.what', { site })], after: [] }
  try {
    await createSmtpMailer(mail).send(writeLetter(letter))
  } catch (error) {
    const [why, remedy] = explainSmtpFailure(error instanceof Error ? error : new Error(String(error)), mail)
    throw conflict('mail', reason('reason.with-remedy', { why, remedy }), { cause: error })
  }
  await record(stores, 'mail test', { userId: user.id }, by)
  return { mailedTo: to.address }
}

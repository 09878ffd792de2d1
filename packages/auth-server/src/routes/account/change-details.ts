import { meets } from '@frontdesk/schemas/acr'
import type { FastifyReply } from 'fastify'
import type { FormToken } from '../../consent/form-token.js'
import { addressChanged } from '../../mail/account-notices.js'
import { message } from '../../languages/translator.js'
import type { Notify } from '../../mail/notices.js'
import { acrOf, MFA_ACR } from '../../oauth/acr.js'
import { errors } from '../../oauth/errors.js'
import { single } from '../../oauth/parameters.js'
import { readAttributes } from '../../oauth/read-attributes.js'
import type { EmailVerification } from '../../sign-in/email-verification.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { Stores } from '../../stores/stores.js'
import type { Profile } from '../../stores/users/profiles.js'
import { tooManyEmails } from '../sign-in/attempt-sign-in.js'
import { createSentNote } from '../mail-note.js'
import type { CodeForm, MailedCodeSteps } from '../sign-in/mailed-code-steps.js'
import { ACCOUNT_FORM, type createAccountPage } from './account-page.js'
import { readDetails } from './details.js'

interface Options extends Pick<ReturnType<typeof createAccountPage>, 'showAccount'> {
  readonly action: string
  readonly stores: Pick<Stores, 'profiles' | 'users'>
  /** `undefined`: email is off. */
  readonly verification: EmailVerification | undefined
  readonly codeSteps: MailedCodeSteps
  readonly notify: Notify
  readonly redirect: (reply: FastifyReply, result: string) => FastifyReply
}

/** The verified address that a change can replace: see `Profiles.changeOwn`. */
type Replaceable = string | null | undefined

/**
 * Makes the actions that change a user's details. The verified address receives the code that permits a first factor: so a session that
 * has used no factor replaces or removes it only with a code that was mailed to it.
 */
export function createChangeDetails ({ action, stores, verification, codeSteps, notify, showAccount, redirect }: Options) {
  async function changeDetails (reply: FastifyReply, session: Session) {
    const { change, refused } = readDetails(reply.request.form)
    if (refused !== undefined) {
      return await showAccount(reply.code(400), session, { text: message('account.details.not-saved'), isError: true, details: refused })
    }
    const { email, ...others } = change
    const isFree = verification === undefined || meets(acrOf(session.amr), MFA_ACR)
    const before = email === undefined || isFree ? null : await stores.profiles.find(session.userId)
    if (email === undefined || before?.emailVerified !== true || before.email === email) {
      return await save(reply, session, change, isFree ? undefined : null)
    }
    await update(reply, session, others)
    return await codeSteps.mail(reply, codeForm(email), await askedOf(session))
  }

  async function mailCode (reply: FastifyReply, session: Session, { mailed }: FormToken) {
    return await codeSteps.mail(reply, codeForm(emailIn(reply)), await askedOf(session, mailed))
  }

  async function enterCode (reply: FastifyReply, session: Session, { mailed }: FormToken) {
    const email = emailIn(reply)
    const address = await codeSteps.enter(reply, codeForm(email), await askedOf(session, mailed))
    return address === null ? reply : await save(reply, session, { email }, address)
  }

  /** @throws OAuthError `endedForm` */
  async function askedOf ({ userId }: Session, mailed?: string) {
    const user = await stores.users.find({ id: userId })
    if (user === null) throw ended()
    return { purpose: 'address', user, state: { userId, mailed } } as const
  }

  function codeForm (email: string | null): CodeForm {
    const buttons = { enter: 'enter-address-code', again: 'mail-address-code' }
    return { action, query: ACCOUNT_FORM, buttons, kept: { name: 'email', value: email ?? '' } }
  }

  async function save (reply: FastifyReply, session: Session, change: Partial<Profile>, replaceable: Replaceable) {
    const hasEmail = 'email' in change
    // Before, while the address is known, and verified. It can be the same: a page can be old, or the form not from a page.
    const isReplaced = hasEmail && (await stores.profiles.find(session.userId))?.email !== change.email
    if (isReplaced) await notify(session.userId, addressChanged)
    await update(reply, session, change, replaceable)
    const sent = hasEmail ? await mailLink(reply, session, replaceable !== null) : null
    return redirect(reply, sent !== null && 'mailedTo' in sent ? 'details-mailed' : 'details')
  }

  /** @throws OAuthError `endedForm` */
  async function update (reply: FastifyReply, { userId }: Session, change: Partial<Profile>, replaceable?: Replaceable) {
    const attributes = Object.keys(change)
    if (attributes.length === 0) return
    if (!await stores.profiles.changeOwn(userId, change, replaceable)) throw ended()
    if ('locale' in change) reply.setLanguage(null)
    reply.request.audit({ event: 'profile', outcome: 'changed', userId, details: { attributes } })
  }

  async function sendLink (reply: FastifyReply, session: Session) {
    const sent = await mailLink(reply, session, meets(acrOf(session.amr), MFA_ACR))
    if (sent === null) return await showAccount(reply, session)
    if ('mailedTo' in sent) return redirect(reply, 'mailed')
    const { retryAfter } = sent
    return await showAccount(reply.code(429).header('retry-after', retryAfter), session, { text: tooManyEmails(retryAfter), isError: true })
  }

  /** Emails a link to an address that is not verified; `null`: there is none, or email is off. @param isProven see `SetUpRule.mayVerify` */
  async function mailLink (reply: FastifyReply, { userId }: Session, isProven: boolean) {
    const { language } = await reply.translator()
    return await verification?.send(userId, { isProven, language }, createSentNote(reply.request, userId)) ?? null
  }

  return { changeDetails, mailCode, enterCode, sendLink }
}

/** The address that the page for the code keeps; `null`: it is to be removed. @throws OAuthError `invalidForm` */
function emailIn ({ request: { form } }: FastifyReply): string | null {
  const { email } = readAttributes({ email: single(form, 'email') ?? '' }).change
  if (email === undefined) throw errors.invalidForm('no valid email address')
  return email
}

function ended () {
  return errors.endedForm('the user was disabled or removed, or has another verified address')
}

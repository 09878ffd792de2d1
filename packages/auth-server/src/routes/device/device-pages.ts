import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import { message } from '../../languages/translator.js'
import { errors, type PublicError } from '../../oauth/errors.js'
import { showUserCode } from '../../sign-in/user-code.js'
import { showConsentPage, type PageUser, type Shown } from '../authorize/consent-page.js'
import { showSecondStep } from '../sign-in/factor-page.js'
import { issuePageToken, type SignInSteps } from '../visit.js'
import type { RequestedDevice } from './allow-device.js'

/** Flash messages of decisions. */
const DONE = { allowed: 'device-allowed', denied: 'device-denied' } as const
type Decision = keyof typeof DONE

/** Maximum length of a prefilled code. */
const MAX_CODE = 20

/** Binds form tokens to the page for entering a code or, with a code, to its consent page. */
export function queryFor (userCode: string | undefined): string {
  return userCode === undefined ? '/device' : `/device ${userCode}`
}

/** The pages for entering a code, for consent, and for the decision. */
export function createDevicePages ({ path, formKeys, enrolling }: { path: string, formKeys: FormKeys } & Pick<SignInSteps, 'enrolling'>) {
  const stepForm = (userCode: string) => ({ action: path, query: queryFor(userCode), decision: 'allow', userCode: showUserCode(userCode) })

  async function showEntry (reply: FastifyReply, userCode: string, failure?: PublicError) {
    return await reply.code(failure?.statusCode ?? 200).page('device', {
      title: message('device.title'),
      action: path,
      userCode: showUserCode(userCode.slice(0, MAX_CODE)),
      transaction: issuePageToken(reply, formKeys, queryFor(undefined)),
      failure
    })
  }

  /** Shows the page for a code again: no pending request has this one. */
  async function showUnknown (reply: FastifyReply, userCode: string) {
    return await showEntry(reply, userCode, errors.unknownUserCode.publicError)
  }

  return {
    showEntry,
    showUnknown,
    /** Shows the consent page; for a disabled client, the page for an unknown code. */
    async showConsent (reply: FastifyReply, requested: RequestedDevice, user: PageUser, shown: Shown = {}) {
      const { client, userCode } = requested
      if (client.disabledAt !== null) return await showUnknown(reply, userCode)
      const content = { action: path, userCode: showUserCode(userCode), loginHint: '' }
      return await showConsentPage(reply, formKeys, { ...shown, requested, user, query: queryFor(userCode), content })
    },
    /** Shows what the sign-in still needs. */
    async showStep (reply: FastifyReply, userCode: string, step: Parameters<typeof showSecondStep>[3]) {
      return await showSecondStep(reply, { formKeys, enrolling }, stepForm(userCode), step)
    },
    /** Answers a form of the pages that set up an authenticator app; `undefined`: it is another form. */
    answerEnrolling: async (reply: FastifyReply, userCode: string) => await enrolling.answer(reply, stepForm(userCode)),
    /** Redirects to the page that shows the decision, so that a reload does not submit the form again. */
    setDone (reply: FastifyReply, decision: Decision) {
      reply.setFlash(DONE[decision])
      return reply.header('cache-control', 'no-store').redirect(path, 303)
    },
    /** Takes the last decision, once; `undefined`: none. */
    takeDone (reply: FastifyReply) {
      const word = reply.takeFlash()
      return (['allowed', 'denied'] as const).find(decision => DONE[decision] === word)
    },
    async showDone (reply: FastifyReply, decision: Decision) {
      const isAllowed = decision === 'allowed'
      return await reply.page('device-done', { title: message(isAllowed ? 'device.done-allowed-title' : 'device.done-denied-title'), isAllowed })
    }
  }
}

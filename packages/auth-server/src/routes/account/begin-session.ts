import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { PassedPassword } from '../../consent/form-token.js'
import { findSecondStep, type Leveled } from '../../consent/second-step.js'
import type { SignInFailure } from '../../consent/visit.js'
import { ANY_ACR } from '../../oauth/requested-acr.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { FoundSession } from '../../stores/sessions/sessions.js'
import { beginSecondStep } from '../sign-in/attempt-second-step.js'
import { beginSignIn } from '../sign-in/attempt-sign-in.js'
import { showFactorPage, showSecondStep } from '../sign-in/factor-page.js'
import { readCredentials, type SignInSteps } from '../visit.js'
import { ACCOUNT_FORM } from './account-page.js'
import type { createPasskeyUpgrade } from './passkey-upgrade.js'

interface Options {
  readonly action: string
  readonly signInSteps: SignInSteps
  readonly formKeys: FormKeys
  readonly showSignIn: (reply: FastifyReply, failure: SignInFailure) => Promise<FastifyReply>
  readonly showAccount: (reply: FastifyReply, session: Session, message?: undefined, upgrade?: object) => Promise<FastifyReply>
  readonly offerUpgrade: ReturnType<typeof createPasskeyUpgrade>
}

/** What a user still needs for the account page, which requires no level of its own; `null`: nothing. */
export async function findStep (user: Leveled, isTrusted: () => Promise<boolean>) {
  return await findSecondStep(user, { client: { requiredAcr: null }, interaction: ANY_ACR }, isTrusted)
}

/** The form of a step of the account page's sign-in. */
export const formOf = (action: string) => ({ action, query: ACCOUNT_FORM, decision: 'sign-in' })

/** Makes the sign-in of the account page, for the form of its password or passkey and that of its code. */
export function createBeginSession ({ action, signInSteps, formKeys, showSignIn, showAccount, offerUpgrade }: Options) {
  const form = formOf(action)

  /** @param first what precedes the code: the password of this sign-in, or a session */
  return async function beginSession (reply: FastifyReply, first: PassedPassword | FoundSession | undefined): Promise<FastifyReply> {
    const { request, server } = reply
    const now = server.clock.now()
    const credentials = readCredentials(request.form)
    const hasCredentials = credentials.username !== undefined || credentials.passkey !== undefined
    const isSession = first !== undefined && !('state' in first)
    const isEnough = isSession && !hasCredentials && await findStep(first, async () => false) === null
    if (isEnough) return await showAccount(reply, first)
    const starting = first === undefined || hasCredentials
      ? await beginSignIn({ ...signInSteps, reply, now }, credentials)
      : await beginSecondStep({ ...signInSteps, reply, now }, first)
    if ('message' in starting) {
      if (first === undefined || starting.isOfCode !== true) return await showSignIn(reply, starting)
      const page = 'state' in first ? { passed: first } : { userId: first.userId }
      return await showFactorPage(reply, formKeys, form, { ...starting, factors: starting.factors ?? null, page, failure: starting })
    }
    const { user: { id: userId, username, requiredAcr, factors }, passed, amr } = starting
    const step = await findStep({ userId, amr, requiredAcr, factors, isStarting: true }, () => request.isTrustedBy(userId))
    if (step === null) {
      const session = await starting.start()
      if ('message' in session) return await showSignIn(reply, session)
      return await showAccount(reply, session, undefined, isSession ? undefined : await offerUpgrade(reply, starting))
    }
    await starting.postpone()
    if (step.outcome === 'refused') throw step.error
    const page = isSession && !hasCredentials ? { userId } : { passed }
    const needed = step.outcome === 'factor' ? { ...step, username, factors, page } : { ...step, page }
    return await showSecondStep(reply, { formKeys, ...signInSteps }, form, needed)
  }
}

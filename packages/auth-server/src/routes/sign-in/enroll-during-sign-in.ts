import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { FormToken, PageState } from '../../consent/form-token.js'
import type { Enrollments, PendingApp } from '../../factors/enrollment.js'
import { codeOf } from '../../factors/factor.js'
import { PASSKEY_AMR } from '../../factors/passkey.js'
import type { PasskeyEnrollments } from '../../factors/passkey-enrollment.js'
import { linkOf, type Proof, type SetUpRule } from '../../factors/set-up-rule.js'
import { TOTP_AMR } from '../../factors/totp.js'
import type { Notify } from '../../mail/notices.js'
import { describeDevice, userAgentOf } from '../../input/user-agent.js'
import { message } from '../../languages/translator.js'
import { MFA_ACR, PASSKEY_ACR } from '../../oauth/acr.js'
import { PASSWORD, withFactor } from '../../oauth/authentication.js'
import { errors } from '../../oauth/errors.js'
import { single } from '../../oauth/parameters.js'
import { credentialState } from '../../sign-in/password-link.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { FoundUser } from '../../stores/users/user-lookup.js'
import type { Users } from '../../stores/users/users.js'
import { startingSession } from './attempt-sign-in.js'
import { stepFor } from './factor-page.js'
import type { MailedCodeSteps } from './mailed-code-steps.js'
import { showPasskeyCreation } from './passkey-creation.js'
import { recordFactorChange } from './record-factor-change.js'
import { setUpContent } from './set-up-content.js'
import { showStep } from './show-step.js'
import { ENROLLING_STEPS, type AskedToEnroll, type EnrollDuringSignIn, type StepForm } from './step-form.js'
import { readDecision, verifyPageToken } from '../visit.js'

interface Options {
  readonly users: Pick<Users, 'find'>
  readonly formKeys: FormKeys
  readonly rule: Pick<SetUpRule, 'begin'>
  readonly codeSteps: MailedCodeSteps
  readonly enrollments: Enrollments
  readonly passkeyEnrollments: PasskeyEnrollments
  readonly notify: Notify
}

/** The first step of a sign-in, and the state of its next page. */
interface Enrolling {
  readonly page: FormToken
  readonly user: FoundUser
  readonly session: Session | null
  readonly state: PageState
}

/** Titles of the page that follows a set-up without new recovery codes. */
const ADDED = { totp: message('factor.app-added'), passkey: message('factor.passkey-added') } as const

/** A factor that was set up, and what it adds to `amr`. */
interface NewFactor { readonly kind: keyof typeof ADDED, readonly amr: string, readonly recoveryCodes?: readonly string[] }

/** Makes {@link EnrollDuringSignIn}. */
export function createEnrollDuringSignIn (
  { users, formKeys, rule, codeSteps, enrollments, passkeyEnrollments, notify }: Options
): EnrollDuringSignIn {
  type Step = (reply: FastifyReply, form: StepForm, enrolling: Enrolling) => Promise<FastifyReply>
  const steps: Record<typeof ENROLLING_STEPS[number], Step> = {
    'mail-code': mailCode, 'enter-code': enterCode, 'confirm-app': confirmApp, 'confirm-passkey': confirmPasskey
  }

  async function begin (reply: FastifyReply, form: StepForm, { acr, amr, page }: AskedToEnroll) {
    const id = page.passed?.userId ?? page.userId
    const user = id === undefined ? null : await users.find({ id })
    const needs = user === null ? 'administrator' : await rule.begin(user.id, amr)
    const state = { ...page, acr }
    if (user !== null && typeof needs === 'object') return await showSetUp(reply, form, { user, state }, needs)
    const step = stepFor(acr)
    const content = { view: 'unenrolled', title: message('enroll.title', { step }), step, needs }
    return await showStep(reply.code(403), { formKeys, form: { ...form, leadsOutside: false }, state }, content)
  }

  /** @throws OAuthError */
  async function open (request: FastifyRequest, query: string): Promise<Enrolling> {
    const page = verifyPageToken(request, formKeys, query, single(request.form, 'transaction'))
    const { userId, hasSignedIn, passed, acr, proof, shown } = page
    const session = userId === undefined ? null : await request.session()
    if (session?.userId !== userId) throw errors.foreignForm('another user has signed in since, or the session was revoked')
    const id = passed?.userId ?? userId
    const user = id === undefined ? null : await users.find({ id })
    if (user === null || user.disabledAt !== null) throw errors.endedForm('the user is disabled or removed')
    if (passed !== undefined && passed.state !== credentialState(user)) {
      throw errors.endedForm('the password was changed or access revoked')
    }
    // Otherwise, a code by email would replace the factor.
    if (user.factors !== null && proof?.by !== 'factor') throw errors.endedForm('the user has a factor')
    // A session is no proof of the password: other pages accept `passed` as one.
    return { page, user, session, state: { userId, hasSignedIn, shown, passed, acr } }
  }

  async function mailCode (reply: FastifyReply, form: StepForm, { page: { mailed }, user, state }: Enrolling) {
    return await codeSteps.mail(reply, form, { purpose: 'factor', user, state: { ...state, mailed } })
  }

  async function enterCode (reply: FastifyReply, form: StepForm, { page: { mailed }, user, state }: Enrolling) {
    const address = await codeSteps.enter(reply, form, { purpose: 'factor', user, state: { ...state, mailed } })
    if (address === null) return reply
    return await showSetUp(reply, form, { user, state }, { by: 'email', address })
  }

  async function confirmApp (reply: FastifyReply, form: StepForm, { page, user, session, state }: Enrolling) {
    const { request, server } = reply
    const [sealed, now, userId] = [single(request.form, 'app') ?? '', server.clock.now(), user.id]
    const confirmed = await enrollments.confirm(sealed, { userId, code: codeOf(request.form), link: form.link }, now)
    if (confirmed === 'wrong') {
      const pending = await enrollments.resume(sealed, user, now)
      if (pending !== null) return await showApp(reply.code(403), form, state, { ...pending, isWrong: true })
    }
    if (typeof confirmed === 'string') throw setUpEnded()
    await recordFactorChange(reply, notify, { userId, change: 'on', factor: confirmed.factor })
    return await signIn(reply, form, { page, user, session, state }, { kind: 'totp', amr: TOTP_AMR, ...confirmed })
  }

  async function confirmPasskey (reply: FastifyReply, form: StepForm, enrolling: Enrolling) {
    const { request, server } = reply
    const { page: { proof }, user } = enrolling
    // A code that was mailed on the page of a link would leave the link as it was.
    if (proof === undefined || linkOf(proof) !== form.link) throw errors.foreignForm('nothing permits a passkey')
    const added = await passkeyEnrollments.confirm(user, request.form, { proof }, server.clock.now())
    if (added === null) throw setUpEnded()
    await recordFactorChange(reply, notify, { userId: user.id, change: 'passkey-added', factor: added.factor })
    return await signIn(reply, form, enrolling, { kind: 'passkey', amr: PASSKEY_AMR, ...added })
  }

  /** Records the use of a link, starts the session after the factor was set up, and shows the new recovery codes, if there are any. */
  async function signIn (
    reply: FastifyReply, form: StepForm, { page, user, session, state }: Enrolling, { kind, amr, recoveryCodes }: NewFactor
  ) {
    if (form.link !== undefined) reply.request.audit({ event: 'factor', outcome: 'link', userId: user.id, details: { link: form.link } })
    const authentication = { authTime: session?.authTime ?? reply.server.clock.now(), amr: withFactor(session?.amr ?? PASSWORD, amr) }
    const starting = startingSession(reply, { user, factor: kind, clientId: undefined, counted: Promise.resolve(), ...authentication })
    if ('message' in await starting.start()) throw errors.endedForm('the password was changed or access revoked')
    const next = { ...state, userId: user.id, hasSignedIn: page.userId === undefined || page.hasSignedIn }
    const content = recoveryCodes === undefined
      ? { view: 'factor-added', title: ADDED[kind] }
      : { view: 'recovery-codes', title: message('recovery.title'), codes: recoveryCodes, isFirst: true, username: user.username }
    return await showStep(reply, { formKeys, form, state: next }, content)
  }

  /** Shows the page that sets up the factor. */
  async function showSetUp (reply: FastifyReply, form: StepForm, { user, state }: Pick<Enrolling, 'user' | 'state'>, proof: Proof) {
    if (state.acr !== PASSKEY_ACR) return await showApp(reply, form, state, await enrollments.begin(user, proof, reply.server.clock.now()))
    const creation = { form: { ...form, decision: 'confirm-passkey' }, state: { ...state, proof }, user, isRequired: true }
    const name = (await reply.translator()).text(describeDevice(userAgentOf(reply.request)))
    return await showPasskeyCreation(reply, { formKeys, passkeyEnrollments, name, ...creation })
  }

  /** @param pending with whether the typed code was wrong */
  async function showApp (reply: FastifyReply, form: StepForm, state: PageState, pending: PendingApp & { isWrong?: boolean }) {
    const content = { view: 'two-step-set-up', confirm: 'confirm-app', ...await setUpContent(pending, pending.isWrong ?? false) }
    return await showStep(reply, { formKeys, form, state }, content)
  }

  return {
    begin,
    async setUp (reply, form, user, proof) {
      const acr = user.requiredAcr === PASSKEY_ACR ? PASSKEY_ACR : MFA_ACR
      return await showSetUp(reply, form, { user, state: { passed: { userId: user.id, state: credentialState(user) }, acr } }, proof)
    },
    async answer (reply, form) {
      const { request } = reply
      if (!ENROLLING_STEPS.some(it => it === request.form.decision)) return undefined
      const { decision } = readDecision(request.form, ENROLLING_STEPS)
      return await steps[decision](reply, form, await open(request, form.query))
    }
  }
}

function setUpEnded () {
  return errors.endedForm('the set-up expired or was invalid, or the password, the access, the address or the factors were changed')
}

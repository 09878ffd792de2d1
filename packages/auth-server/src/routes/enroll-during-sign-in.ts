import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FormKeys } from '../consent/form-keys.js'
import type { FormToken, PageState } from '../consent/form-token.js'
import type { Enrollments, PendingApp } from '../factors/enrollment.js'
import { codeOf } from '../factors/factor.js'
import { TOTP_AMR } from '../factors/totp.js'
import type { Notify } from '../mail/notices.js'
import { passwordAnd } from '../oauth/authentication.js'
import { errors } from '../oauth/errors.js'
import { single } from '../oauth/parameters.js'
import type { LimitCode } from '../sign-in/code-limit.js'
import type { MailedCodes } from '../sign-in/mailed-code.js'
import { credentialState } from '../sign-in/password-link.js'
import type { Session } from '../stores/sessions/session-list.js'
import type { FoundUser } from '../stores/users/user-lookup.js'
import type { Users } from '../stores/users/users.js'
import { recordFailure, startingSession, tooManyAttempts, tryAgainIn } from './attempt-sign-in.js'
import { createMailNote } from './mail-note.js'
import { pageScript } from './page-script.js'
import { recordFactorChange } from './record-factor-change.js'
import { setUpContent } from './set-up-content.js'
import { ENROLLING_STEPS, type EnrollDuringSignIn, type StepForm } from './step-form.js'
import { issuePageToken, readDecision, verifyPageToken } from './visit.js'

interface Options {
  readonly users: Pick<Users, 'find'>
  readonly formKeys: FormKeys
  /** `undefined`: email is off. */
  readonly mailedCodes: MailedCodes | undefined
  readonly limitCode: LimitCode
  readonly enrollments: Enrollments
  readonly notify: Notify
}

/** The first step of a sign-in, and the state of its next page. */
interface Enrolling {
  readonly page: FormToken
  readonly user: FoundUser
  readonly session: Session | null
  readonly state: PageState
}

/** A refused email or code, as its page shows it. */
interface Failure { readonly statusCode: number, readonly message: string }

/** Makes {@link EnrollDuringSignIn}. */
export function createEnrollDuringSignIn (
  { users, formKeys, mailedCodes, limitCode, enrollments, notify }: Options
): EnrollDuringSignIn {
  type Step = (reply: FastifyReply, form: StepForm, enrolling: Enrolling) => Promise<FastifyReply>
  const steps: Record<typeof ENROLLING_STEPS[number], Step> = {
    'mail-code': mailCode, 'enter-code': enterCode, 'confirm-app': confirmApp
  }

  /** @throws OAuthError */
  async function open (request: FastifyRequest, query: string): Promise<Enrolling> {
    const page = verifyPageToken(request, formKeys, query, single(request.form, 'transaction'))
    const { userId, hasSignedIn, passed, shown } = page
    const session = userId === undefined ? null : await request.session()
    if (session?.userId !== userId) throw errors.foreignForm('another user has signed in since, or the session was revoked')
    const id = passed?.userId ?? userId
    const user = id === undefined ? null : await users.find({ id })
    if (user === null || user.disabledAt !== null) throw errors.endedForm('the user is disabled or removed')
    if (passed !== undefined && passed.state !== credentialState(user)) {
      throw errors.endedForm('the password was changed or access revoked')
    }
    // Otherwise, a code by email would replace the factor.
    if (user.factors !== null) throw errors.endedForm('the user has a factor')
    // A session is no proof of the password: other pages accept `passed` as one.
    return { page, user, session, state: { userId, hasSignedIn, shown, passed } }
  }

  async function mailCode (reply: FastifyReply, form: StepForm, { user, state, page }: Enrolling) {
    const { request } = reply
    const { id: userId } = user
    const note = createMailNote(request)
    const sent = await mailedCodes?.send(user, request.ip, failure =>
      note(failure === null ? { outcome: 'sent', userId } : { outcome: 'failed', userId, failure })) ?? null
    if (sent === null) throw errors.endedForm('the user has no verified address any more')
    if ('sealed' in sent) return await showCodePage(reply, form, { ...state, mailed: sent.sealed })
    note({ outcome: 'throttled', userId })
    const failure = { statusCode: 429, message: `We've already sent you several emails. ${tryAgainIn(sent.retryAfter)}` }
    return await showCodePage(reply.header('retry-after', sent.retryAfter), form, { ...state, mailed: page.mailed }, failure)
  }

  async function enterCode (reply: FastifyReply, form: StepForm, { page: { mailed }, user, state }: Enrolling) {
    const { request, server } = reply
    const { id: userId, username } = user
    const result = await limitCode({ user, address: request.ip }, async () =>
      mailed !== undefined && await mailedCodes?.use(user, mailed, codeOf(request.form)) ? true : null)
    if (result.outcome === 'right') {
      await result.counted
      return await showSetUp(reply, form, state, await enrollments.begin(user, server.clock.now()))
    }
    const failure = recordFailure(reply, result.outcome === 'throttled'
      ? tooManyAttempts(result.retryAfter)
      : { outcome: 'wrong code', statusCode: 403, message: 'That code isn\'t right, or is too old.' },
    { username, clientId: undefined, userId })
    return await showCodePage(reply, form, { ...state, mailed }, failure)
  }

  async function confirmApp (reply: FastifyReply, form: StepForm, { page, user, session, state }: Enrolling) {
    const { request, server } = reply
    if (!page.isProven) throw errors.foreignForm('the mailed code was not entered')
    const [sealed, now, userId] = [single(request.form, 'app') ?? '', server.clock.now(), user.id]
    const confirmed = await enrollments.confirm(sealed, { userId, code: codeOf(request.form) }, now)
    if (confirmed === 'wrong') {
      const pending = await enrollments.resume(sealed, user, now)
      if (pending !== null) return await showSetUp(reply.code(403), form, state, { ...pending, isWrong: true })
    }
    if (typeof confirmed === 'string') throw errors.endedForm('the set-up expired, or the password, the access or the factors were changed')
    await recordFactorChange(reply, notify, { userId, change: 'on', factor: confirmed.factor })
    const authentication = { authTime: session?.authTime ?? now, amr: passwordAnd(TOTP_AMR) }
    const starting = startingSession(reply, { user, factor: 'totp', clientId: undefined, counted: Promise.resolve(), ...authentication })
    if ('message' in await starting.start()) throw errors.endedForm('the password was changed or access revoked')
    const next = { ...state, userId, hasSignedIn: page.userId === undefined || page.hasSignedIn }
    return await show(reply, form, next, {
      view: 'recovery-codes',
      title: 'Save your recovery codes',
      codes: confirmed.recoveryCodes ?? [],
      isFirst: true,
      username: user.username
    })
  }

  async function showCodePage (reply: FastifyReply, form: StepForm, state: PageState, failure?: Failure) {
    return await show(reply.code(failure?.statusCode ?? 200), form, state, { view: 'mailed-code', title: 'Check your email', failure })
  }

  /** @param pending with whether the typed code was wrong */
  async function showSetUp (reply: FastifyReply, form: StepForm, state: PageState, pending: PendingApp & { isWrong?: boolean }) {
    const content = { view: 'two-step-set-up', confirm: 'confirm-app', ...await setUpContent(pending, pending.isWrong ?? false) }
    return await show(reply, form, { ...state, isProven: true }, content)
  }

  async function show (
    reply: FastifyReply,
    { query, leadsOutside = false, ...form }: StepForm,
    state: PageState,
    { view, ...content }: Readonly<Record<string, unknown>> & { readonly view: string, readonly title: string }
  ) {
    const transaction = issuePageToken(reply, formKeys, query, state)
    return await reply.page(view, { ...form, transaction, ...content }, { script: pageScript, leadsOutside })
  }

  return {
    canEnroll: async userId => await mailedCodes?.canSend(userId) ?? false,
    async answer (reply, form) {
      const { request } = reply
      if (!ENROLLING_STEPS.some(it => it === request.form.decision)) return undefined
      const { decision } = readDecision(request.form, ENROLLING_STEPS)
      return await steps[decision](reply, form, await open(request, form.query))
    }
  }
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { Enrollments } from '../../factors/enrollment.js'
import { codeOf } from '../../factors/factor.js'
import { makeRecoveryCodes } from '../../factors/recovery-code.js'
import type { Proof } from '../../factors/set-up-rule.js'
import { TOTP_AMR } from '../../factors/totp.js'
import type { MessageKey } from '../../languages/languages.js'
import { message } from '../../languages/translator.js'
import type { Notify } from '../../mail/notices.js'
import { passwordAnd } from '../../oauth/authentication.js'
import { single } from '../../oauth/parameters.js'
import type { SignIn } from '../../sign-in/sign-in.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { Stores } from '../../stores/stores.js'
import { FactorRequiredError } from '../../stores/users/factors.js'
import type { User } from '../../stores/users/users.js'
import { stepFor } from '../sign-in/factor-page.js'
import { recordFactorChange } from '../sign-in/record-factor-change.js'
import { createAccountForm, shownPage, submittedPage, type AccountActions } from './account-form.js'
import { createSetUpSteps, type SetUpParts } from './set-up-steps.js'
import { createTwoStepPage } from './two-step-page.js'

interface Options {
  stores: Pick<Stores, 'factors' | 'trustedBrowsers'>
  signIn: SignIn
  formKeys: FormKeys
  enrollments: Enrollments
  setUpParts: SetUpParts
  notify: Notify
}

/** Results of forms, by flash message. */
const DONE: ReadonlyMap<string, MessageKey> = new Map([
  ['replaced', 'two-step.replaced'],
  ['off', 'two-step.turned-off'],
  ['app-removed', 'two-step.app-removed'],
  ['untrusted', 'two-step.untrusted']
])

const CHANGED = message('two-step.changed')

/** `/account/two-step`: sets up, replaces and removes an authenticator app, makes recovery codes, and ends the trust of browsers. */
const twoStep: FastifyPluginAsyncTypebox<Options> = async function twoStep (
  fastify, { stores, signIn, formKeys, enrollments, setUpParts, notify }
) {
  const account = `${fastify.prefix}/account`
  const action = `${account}/two-step`
  const { showTwoStep, showSetUp, showRecoveryCodes } = createTwoStepPage({ action, stores, formKeys, ...setUpParts })

  const { show, submit, withPassword, refuse, redirect } = createAccountForm({
    action, account, signIn, formKeys, acceptsTrust: false, done: DONE, showPage: showTwoStep
  })

  const steps = createSetUpSteps({
    ...setUpParts, action, setUp, refuse: async (reply, session) => await refuse(reply, session, CHANGED)
  })

  const actions: AccountActions = new Map([
    ['set-up', withPassword(steps.begin)],
    ['mail-code', steps.mailAgain],
    ['enter-code', steps.enter],
    ['confirm', confirm],
    ['codes', withPassword(replaceCodes)],
    ['turn-off', withPassword(turnOff)],
    ['end-trust', endTrust]
  ])

  fastify.get('/account/two-step', {
    schema: { ...shownPage, operationId: 'showTwoStep', summary: 'Show the user\'s authenticator app, recovery codes and trusted browsers' }
  }, async (_, reply) => await show(reply))

  fastify.post('/account/two-step', {
    schema: {
      ...submittedPage, operationId: 'changeTwoStep', summary: 'Change the authenticator app, the recovery codes or the trusted browsers'
    }
  }, async (_, reply) => await submit(reply, actions))

  async function setUp (reply: FastifyReply, session: Session, user: User, proof: Proof) {
    return await showSetUp(reply, session, await enrollments.begin(user, proof, fastify.clock.now()))
  }

  async function confirm (reply: FastifyReply, session: Session) {
    const { form } = reply.request
    const [sealed, now, { userId, username }] = [single(form, 'app') ?? '', fastify.clock.now(), session]
    const confirmed = await enrollments.confirm(sealed, { userId, code: codeOf(form) }, now)
    const pending = confirmed === 'wrong' ? await enrollments.resume(sealed, { id: userId, username }, now) : null
    if (pending !== null) return await showSetUp(reply.code(403), session, pending, true)
    if (confirmed === 'wrong' || confirmed === 'ended') return await refuse(reply, session, CHANGED)
    const { user, factor, recoveryCodes, isReplacement } = confirmed
    await recordFactorChange(reply, notify, { userId, change: isReplacement ? 'replaced' : 'on', factor })
    // This browser has just used the app: others with only the password are asked for a code.
    await reply.signIn(user, { authTime: session.authTime, amr: passwordAnd(TOTP_AMR) })
    if (recoveryCodes === undefined) return redirect(reply, 'replaced')
    return await showRecoveryCodes(reply, session, recoveryCodes, !isReplacement)
  }

  async function replaceCodes (reply: FastifyReply, session: Session, user: User) {
    const { codes, hashes } = makeRecoveryCodes()
    if (!await stores.factors.recoveryCodes.replace(user, hashes)) return await refuse(reply, session, CHANGED)
    reply.request.audit({ event: 'factor', outcome: 'recovery codes', userId: user.id })
    return await showRecoveryCodes(reply, session, codes, false)
  }

  async function turnOff (reply: FastifyReply, session: Session, user: User) {
    try {
      if (!await stores.factors.removeAuthenticator(user)) return await refuse(reply, session, CHANGED)
    } catch (error) {
      if (!(error instanceof FactorRequiredError)) throw error
      return await refuse(reply, session, message('two-step.app-required', { step: stepFor(error.acr) }))
    }
    const change = (await stores.factors.find(user.id)).passkeys.length > 0 ? 'app-removed' : 'off'
    await recordFactorChange(reply, notify, { userId: user.id, change })
    return redirect(reply, change)
  }

  async function endTrust (reply: FastifyReply, { userId }: Session) {
    if (await stores.trustedBrowsers.end(userId, single(reply.request.form, 'browser') ?? '')) {
      reply.request.audit({ event: 'factor', outcome: 'untrusted', userId })
    }
    return redirect(reply, 'untrusted')
  }
}
export default twoStep

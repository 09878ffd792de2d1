import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { FormToken } from '../../consent/form-token.js'
import { PASSKEY_AMR } from '../../factors/passkey.js'
import { passkeyNameIn, type PasskeyEnrollments } from '../../factors/passkey-enrollment.js'
import type { Proof } from '../../factors/set-up-rule.js'
import type { MessageKey } from '../../languages/languages.js'
import { message } from '../../languages/translator.js'
import type { Notify } from '../../mail/notices.js'
import { passwordAnd } from '../../oauth/authentication.js'
import { single } from '../../oauth/parameters.js'
import { credentialState } from '../../sign-in/password-link.js'
import type { SignIn } from '../../sign-in/sign-in.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { Stores } from '../../stores/stores.js'
import { FactorRequiredError } from '../../stores/users/factors.js'
import type { User } from '../../stores/users/users.js'
import { stepFor } from '../sign-in/factor-page.js'
import { recordFactorChange } from '../sign-in/record-factor-change.js'
import { createAccountForm, shownPage, submittedPage, type AccountActions } from './account-form.js'
import { PASSKEY_SAVED } from './passkey-upgrade.js'
import { createPasskeysPage } from './passkeys-page.js'
import { createSetUpSteps, type SetUpParts } from './set-up-steps.js'

interface Options {
  stores: Pick<Stores, 'factors' | 'users'>
  signIn: SignIn
  formKeys: FormKeys
  passkeyEnrollments: PasskeyEnrollments
  setUpParts: SetUpParts
  notify: Notify
}

/** Results of forms, by flash message. */
const DONE: ReadonlyMap<string, MessageKey> = new Map([
  ['passkey-added', 'passkeys.added'],
  ['passkey-renamed', 'passkeys.renamed'],
  ['passkey-removed', 'passkeys.removed']
])

const NOT_ADDED = message('passkeys.not-added')

/** `/account/passkeys`: lists, adds, renames and removes passkeys. */
const passkeys: FastifyPluginAsyncTypebox<Options> = async function passkeys (
  fastify, { stores, signIn, formKeys, passkeyEnrollments, setUpParts, notify }
) {
  const account = `${fastify.prefix}/account`
  const action = `${account}/passkeys`
  const { showPasskeys, showCreation, showRecoveryCodes } =
    createPasskeysPage({ action, stores, formKeys, passkeyEnrollments, ...setUpParts })

  const { show, submit, withPassword, refuse, redirect } = createAccountForm({
    action, account, signIn, formKeys, acceptsTrust: false, done: DONE, showPage: showPasskeys
  })

  const steps = createSetUpSteps({
    ...setUpParts,
    action,
    kept: reply => ({ name: 'name', value: passkeyNameIn(reply.request.form) }),
    setUp: create,
    refuse: async (reply, session) => await refuse(reply, session, NOT_ADDED)
  })

  const actions: AccountActions = new Map([
    ['add', withPassword(steps.begin)],
    ['mail-code', steps.mailAgain],
    ['enter-code', steps.enter],
    ['confirm', confirm],
    ['rename', rename],
    ['remove', withPassword(remove)]
  ])

  fastify.get('/account/passkeys', {
    schema: { ...shownPage, operationId: 'showPasskeys', summary: 'Show the user\'s passkeys' }
  }, async (_, reply) => await show(reply))

  fastify.post('/account/passkeys', {
    schema: { ...submittedPage, operationId: 'changePasskeys', summary: 'Add, rename or remove a passkey' }
  }, async (_, reply) => await submit(reply, actions))

  async function create (reply: FastifyReply, _: Session, user: User, proof: Proof) {
    return await showCreation(reply, user, passkeyNameIn(reply.request.form), proof)
  }

  async function confirm (reply: FastifyReply, session: Session, { passed, proof, isUpgrade }: FormToken) {
    const user = await stores.users.find({ id: session.userId })
    const isPermitted = user !== null && proof !== undefined && passed?.state === credentialState(user)
    const added = isPermitted
      ? await passkeyEnrollments.confirm(user, reply.request.form, { proof, isConditional: isUpgrade }, fastify.clock.now())
      : null
    if (user === null || added === null) return await refuse(reply, session, NOT_ADDED)
    await recordFactorChange(reply, notify, { userId: user.id, change: 'passkey-added', factor: added.factor })
    // This browser has just used the passkey: others with only the password are asked for it. An upgrade has not verified the user.
    if (!isUpgrade) await reply.signIn(user, { authTime: session.authTime, amr: passwordAnd(PASSKEY_AMR) })
    if (added.recoveryCodes !== undefined) return await showRecoveryCodes(reply, session, added.recoveryCodes)
    if (!isUpgrade) return redirect(reply, 'passkey-added')
    reply.setFlash(PASSKEY_SAVED)
    return reply.header('cache-control', 'no-store').redirect(account, 303)
  }

  async function rename (reply: FastifyReply, session: Session) {
    const { form } = reply.request
    const { userId } = session
    if (!await stores.factors.passkeys.rename(userId, single(form, 'passkey') ?? '', passkeyNameIn(form))) {
      return await refuse(reply, session, message('passkeys.not-renamed'))
    }
    reply.request.audit({ event: 'factor', outcome: 'passkey-renamed', userId })
    return redirect(reply, 'passkey-renamed')
  }

  async function remove (reply: FastifyReply, session: Session, user: User) {
    try {
      const removed = await stores.factors.removePasskey(user, single(reply.request.form, 'passkey') ?? '')
      if (!removed) return await refuse(reply, session, message('passkeys.not-removed'))
    } catch (error) {
      if (!(error instanceof FactorRequiredError)) throw error
      return await refuse(reply, session, message('passkeys.required', { step: stepFor(error.acr) }))
    }
    await recordFactorChange(reply, notify, { userId: user.id, change: 'passkey-removed' })
    return redirect(reply, 'passkey-removed')
  }
}
export default passkeys

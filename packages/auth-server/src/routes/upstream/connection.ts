import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import { message } from '../../languages/translator.js'
import { upstreamChanged } from '../../mail/upstream-notice.js'
import type { Notify } from '../../mail/notices.js'
import type { Upstream } from '../../settings/upstream.js'
import { credentialState } from '../../sign-in/password-link.js'
import type { SignIn } from '../../sign-in/sign-in.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { Stores } from '../../stores/stores.js'
import type { User } from '../../stores/users/users.js'
import { createAccountForm, shownPage, submittedPage, type Result } from '../account/account-form.js'
import { ACCOUNT_FORM } from '../account/account-page.js'
import { pageScript } from '../page-script.js'
import { issuePageToken } from '../visit.js'
import type { UpstreamStart } from './begin.js'

export interface ConnectionOptions {
  upstream: Upstream
  stores: Pick<Stores, 'upstreamIdentities'>
  signInSteps: { readonly signIn: SignIn }
  formKeys: FormKeys
  start: UpstreamStart
  notify: Notify
}

/** `/account/upstream`: connects or disconnects the user's account at the upstream provider. */
const connection: FastifyPluginAsyncTypebox<ConnectionOptions> = async function connection (
  fastify, { upstream: { name }, stores: { upstreamIdentities }, signInSteps, formKeys, start, notify }
) {
  const account = `${fastify.prefix}/account`
  const action = `${account}/upstream`

  const { show, submit, withPassword, refuse, redirect } = createAccountForm({
    ...signInSteps,
    action,
    account,
    formKeys,
    acceptsTrust: false,
    done: new Map([['connected', 'upstream.connected'], ['disconnected', 'upstream.disconnected']]),
    showPage
  })

  const actions = new Map([['connect', withPassword(connect)], ['disconnect', withPassword(disconnect)]])

  fastify.get('/account/upstream', {
    schema: { ...shownPage, operationId: 'showUpstream', summary: 'Show whether the upstream provider is connected' }
  }, async (_, reply) => await show(reply))

  fastify.post('/account/upstream', {
    schema: { ...submittedPage, operationId: 'changeUpstream', summary: 'Connect or disconnect the upstream provider' }
  }, async (_, reply) => await submit(reply, actions))

  async function showPage (reply: FastifyReply, { userId, username }: Session, result?: Result) {
    return await reply.page('upstream', {
      title: message('upstream.sign-in', { provider: name }),
      action,
      username,
      message: result,
      transaction: issuePageToken(reply, formKeys, ACCOUNT_FORM, { userId }),
      connected: await upstreamIdentities.find(userId)
    }, { script: pageScript, leadsOutside: true })
  }

  async function connect (reply: FastifyReply, { userId }: Session, user: User) {
    return await start.connect(reply, action, { userId, state: credentialState(user) })
  }

  async function disconnect (reply: FastifyReply, session: Session, user: User) {
    const disconnected = await upstreamIdentities.disconnect(user)
    if (disconnected === null) return await refuse(reply, session, message('upstream.changed-elsewhere'))
    reply.request.audit({ event: 'upstream', outcome: 'disconnected', userId: user.id })
    await notify(user.id, upstreamChanged('disconnected', name))
    await reply.signIn(disconnected, session)
    return redirect(reply, 'disconnected')
  }
}
export default connection

import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { PendingApp } from '../../factors/enrollment.js'
import type { SetUpRule } from '../../factors/set-up-rule.js'
import { describeDevice } from '../../input/user-agent.js'
import { message, type Message } from '../../languages/translator.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { Stores } from '../../stores/stores.js'
import { pageScript } from '../page-script.js'
import { setUpContent } from '../sign-in/set-up-content.js'
import { issuePageToken } from '../visit.js'
import type { Result } from './account-form.js'
import { ACCOUNT_FORM, showFactors } from './account-page.js'

interface Options {
  action: string
  stores: Pick<Stores, 'factors' | 'trustedBrowsers'>
  formKeys: FormKeys
  rule: Pick<SetUpRule, 'begin'>
}

/** The pages of two-step sign-in. */
export function createTwoStepPage ({ action, stores, formKeys, rule }: Options) {
  type Content = Readonly<Record<string, unknown>> & { readonly title: Message }
  const show = async (reply: FastifyReply, { userId, username }: Session, view: string, data: Content) => {
    const transaction = issuePageToken(reply, formKeys, ACCOUNT_FORM, { userId })
    return await reply.page(view, { action, username, transaction, ...data }, { script: pageScript })
  }
  return {
    async showTwoStep (reply: FastifyReply, session: Session, result?: Result) {
      const { userId, amr } = session
      const [factors, browsers, begun] = await Promise.all([
        stores.factors.find(userId), stores.trustedBrowsers.list(userId, reply.server.clock.now()), rule.begin(userId, amr)
      ])
      const here = reply.request.trustedBrowserId(userId)
      return await show(reply, session, 'two-step', {
        title: message('two-step.title'),
        message: result,
        factors: showFactors(factors),
        needs: begun,
        browsers: browsers.map(({ id, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
          id,
          isCurrent: id === here,
          device: describeDevice(userAgent),
          since: createdAt,
          lastUsed: lastUsedAt,
          endsAt: expiresAt
        }))
      })
    },
    /** @param isWrong whether the typed code was */
    async showSetUp (reply: FastifyReply, session: Session, pending: PendingApp, isWrong = false) {
      return await show(reply, session, 'two-step-set-up', { confirm: 'confirm', ...await setUpContent(pending, isWrong) })
    },
    /** Shows new codes, once. @param isFirst whether two-step sign-in was just turned on */
    async showRecoveryCodes (reply: FastifyReply, session: Session, codes: readonly string[], isFirst: boolean) {
      return await show(reply, session, 'recovery-codes', { title: message('recovery.title'), codes, isFirst })
    }
  }
}

import type { FastifyReply } from 'fastify'
import type { SignInFailure } from '../../consent/decide.js'
import type { FormKeys } from '../../consent/form-keys.js'
import { digestShown, issueFormToken, type PageState } from '../../consent/form-token.js'
import { errors, type PublicError } from '../../oauth/errors.js'
import { scopesToGrant } from '../../oauth/scope.js'
import { showUserCode } from '../../sign-in/user-code.js'
import type { FoundSession } from '../../stores/sessions/sessions.js'
import { describePermissions, describeApp, describeWithheld } from '../authorize/describe-consent.js'
import type { RequestedDevice } from './allow-device.js'

/** Flash messages of decisions. */
const DONE = { allowed: 'device-allowed', denied: 'device-denied' } as const
type Decision = keyof typeof DONE

/** Maximum length of a prefilled code. */
const MAX_CODE = 20

/** Replaces the query in form tokens: of the page that asks for a code, or of the consent page for one. */
export function queryFor (userCode: string | undefined): string {
  return userCode === undefined ? '/device' : `/device ${userCode}`
}

/** The pages for entering a code, for consent, and for the decision. */
interface DevicePages {
  showEntry (reply: FastifyReply, userCode: string, failure?: PublicError): Promise<FastifyReply>
  /** Shows the page for a code again: no pending request has this one. */
  showUnknown (reply: FastifyReply, userCode: string): Promise<FastifyReply>
  /** Shows the consent page; for a disabled client, the page for an unknown code. @param user `null`: the page requires a password */
  showConsent (
    reply: FastifyReply,
    requested: RequestedDevice,
    user: Pick<FoundSession, 'userId' | 'username' | 'withheld'> | null,
    shown?: { failure?: SignInFailure, why?: string }
  ): Promise<FastifyReply>
  /** Redirects to the page that shows the decision, so that a reload does not submit the form again. */
  setDone (reply: FastifyReply, decision: Decision): FastifyReply
  /** Takes the last decision, once; `undefined`: none. */
  takeDone (reply: FastifyReply): Decision | undefined
  showDone (reply: FastifyReply, decision: Decision): Promise<FastifyReply>
}

export function createDevicePages ({ path, formKeys }: { path: string, formKeys: FormKeys }): DevicePages {
  const tokenFor = (reply: FastifyReply, userCode?: string, state?: PageState) =>
    issueFormToken(formKeys, { browser: reply.rememberBrowser(), query: queryFor(userCode) }, reply.server.clock.now(), state)

  async function showEntry (reply: FastifyReply, userCode: string, failure?: PublicError) {
    return await reply.code(failure?.statusCode ?? 200).page('device', {
      title: 'Connect a device',
      action: path,
      userCode: showUserCode(userCode.slice(0, MAX_CODE)),
      transaction: tokenFor(reply),
      failure
    })
  }

  async function showUnknown (reply: FastifyReply, userCode: string) {
    return await showEntry(reply, userCode, errors.unknownUserCode.publicError)
  }

  return {
    showEntry,
    showUnknown,
    async showConsent (reply, requested, user, { failure, why } = {}) {
      const { client, scope, userCode } = requested
      if (client.disabledAt !== null) return await showUnknown(reply, userCode)
      const grantable = scopesToGrant(scope, user?.withheld ?? null)
      return await reply.code(failure?.statusCode ?? (why === 'changed' ? 409 : 200)).page('consent', {
        title: `${client.name} wants access`,
        action: path,
        ...describeApp(client),
        userCode: showUserCode(userCode),
        ...describePermissions(grantable, []),
        withheld: describeWithheld(scope.filter(it => !grantable.includes(it))),
        username: user?.username,
        loginHint: '',
        transaction: tokenFor(reply, userCode, { userId: user?.userId, shown: digestShown(requested, user) }),
        isChanged: why === 'changed',
        failure
      })
    },
    setDone (reply, decision) {
      reply.setFlash(DONE[decision])
      return reply.header('cache-control', 'no-store').redirect(path, 303)
    },
    takeDone (reply) {
      const word = reply.takeFlash()
      return (['allowed', 'denied'] as const).find(decision => DONE[decision] === word)
    },
    showDone: async (reply, decision) =>
      await reply.page('device-done', { title: decision === 'allowed' ? 'Access allowed' : 'Access denied', isAllowed: decision === 'allowed' })
  }
}

import type { FastifyReply } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import { issueFormToken, type FormToken } from '../../consent/form-token.js'
import { errors, type PublicError } from '../../oauth/errors.js'
import { parseScope, withoutWithheld } from '../../oauth/scope.js'
import { showUserCode } from '../../sign-in/user-code.js'
import type { DeviceRequest } from '../../stores/device-codes.js'
import type { FoundSession } from '../../stores/sessions.js'
import type { Stores } from '../../stores/stores.js'
import type { SignInFailure } from '../attempt-sign-in.js'
import { digestShown } from '../authorize/consent-page.js'
import { describePermissions, describeApp, describeWithheld } from '../authorize/describe-consent.js'

/** What was decided, by flash message. */
const DONE = { allowed: 'device-allowed', denied: 'device-denied' } as const
type Decision = keyof typeof DONE

/** Longest text that the field for a code begins with. */
const MAX_CODE = 20

/** A person with the scopes that they may not grant, space-separated; `null`: none. */
type Person = Pick<FoundSession, 'userId' | 'username' | 'withheld'>

/** In place of the query in form tokens: of the page for any code, or of the consent page of one. */
export function queryFor (userCode: string | undefined): string {
  return userCode === undefined ? '/device' : `/device ${userCode}`
}

/** The pages for the code of a device, for consent, and for what was decided. */
export interface DevicePages {
  showEntry (reply: FastifyReply, userCode: string, failure?: PublicError): Promise<FastifyReply>
  /** Shows the page for a code again without a request that waits. */
  showConsent (
    reply: FastifyReply,
    userCode: string,
    asked: DeviceRequest | null,
    person: Person | null,
    shown?: { failure?: SignInFailure, isChanged?: boolean }
  ): Promise<FastifyReply>
  /** Whether the page with this form token would show the same of a request to a person; `null`: not known yet. */
  isShown ({ shown }: FormToken, asked: DeviceRequest, person: Person | null): Promise<boolean>
  /** Redirects to the page that says what was decided: a reload does not send the form again. */
  setDone (reply: FastifyReply, decision: Decision): FastifyReply
  /** What was decided just before, once; `undefined`: nothing. */
  takeDone (reply: FastifyReply): Decision | undefined
  showDone (reply: FastifyReply, decision: Decision): Promise<FastifyReply>
}

interface Options extends Pick<Stores, 'clients'> {
  path: string
  formKeys: FormKeys
}

/** @param path of the forms */
export function createDevicePages ({ path, formKeys, clients }: Options): DevicePages {
  const tokenFor = (reply: FastifyReply, userCode?: string, userId?: string, shown?: string) =>
    issueFormToken(formKeys, { browser: reply.rememberBrowser(), query: queryFor(userCode) }, reply.server.clock.now(), { userId, shown })
  const scopeFor = (asked: DeviceRequest, person: Person | null) => withoutWithheld(parseScope(asked.scope), person?.withheld ?? null)

  async function showEntry (reply: FastifyReply, userCode: string, failure?: PublicError) {
    return await reply.code(failure?.statusCode ?? 200).page('device', {
      title: 'Connect a device',
      action: path,
      userCode: showUserCode(userCode.slice(0, MAX_CODE)),
      transaction: tokenFor(reply),
      failure
    })
  }

  return {
    showEntry,
    async isShown ({ shown }, asked, person) {
      const client = await clients.find(asked.clientId)
      return client !== null && digestShown({ client, scope: scopeFor(asked, person) }) === shown
    },
    async showConsent (reply, userCode, asked, person, { failure, isChanged = false } = {}) {
      const client = asked === null ? null : await clients.find(asked.clientId)
      if (asked === null || client === null || client.disabledAt !== null) {
        return await showEntry(reply, userCode, errors.unknownUserCode.publicError)
      }
      const scope = scopeFor(asked, person)
      return await reply.code(failure?.statusCode ?? (isChanged ? 409 : 200)).page('consent', {
        title: `${client.name} wants access`,
        action: path,
        ...describeApp(client),
        userCode: showUserCode(userCode),
        ...describePermissions(scope, []),
        withheld: describeWithheld(parseScope(asked.scope).filter(it => !scope.includes(it))),
        username: person?.username,
        loginHint: '',
        transaction: tokenFor(reply, userCode, person?.userId, digestShown({ client, scope })),
        isChanged,
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

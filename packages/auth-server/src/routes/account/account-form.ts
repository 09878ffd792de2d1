import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FormKeys } from '../../consent/form-keys.js'
import type { FormToken } from '../../consent/form-token.js'
import type { MessageKey } from '../../languages/languages.js'
import { message, type Message } from '../../languages/translator.js'
import { errors } from '../../oauth/errors.js'
import { single } from '../../oauth/parameters.js'
import type { SignIn } from '../../sign-in/sign-in.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { FoundSession } from '../../stores/sessions/sessions.js'
import type { User } from '../../stores/users/users.js'
import { checkPassword } from '../sign-in/attempt-sign-in.js'
import { showFactorPage } from '../sign-in/factor-page.js'
import { pages } from '../responses.js'
import { onOwnPage, verifyPageToken } from '../visit.js'
import { ACCOUNT_FORM } from './account-page.js'
import { findStep, formOf } from './begin-session.js'

/** Documents a page of the account area. */
export const shownPage = {
  tags: ['Account page'],
  response: { 303: Type.Null({ description: 'No one is signed in. Redirects to the account page.' }), ...pages }
}

/** Documents its forms. */
export const submittedPage = {
  tags: ['Account page'],
  consumes: ['application/x-www-form-urlencoded'],
  response: { 303: Type.Null({ description: 'Done. Redirects to the page.' }), ...pages }
}

/** The result of a form. `isWrong`: the password was. */
export interface Result { readonly text: Message, readonly isError: boolean, readonly isWrong?: boolean }

/** Handles a button of a user's own page. */
type Action = (reply: FastifyReply, session: Session, page: FormToken) => Promise<FastifyReply>

/** Actions by button. */
export type AccountActions = ReadonlyMap<string | undefined, Action>

interface Options {
  /** Address of the page. */
  readonly action: string
  /** Address of the account page. */
  readonly account: string
  readonly signIn: SignIn
  readonly formKeys: FormKeys
  /** Whether a trusted browser replaces the code. Not to change factors: a new factor reaches a level that a trusted browser does not. */
  readonly acceptsTrust: boolean
  /** Results of forms, by flash message. */
  readonly done: ReadonlyMap<string, MessageKey>
  readonly showPage: (reply: FastifyReply, session: Session, result?: Result) => Promise<FastifyReply>
}

const SIGN_OUTS: ReadonlyArray<string | undefined> = ['sign-out', 'switch']

/** The handlers of a page of the account area and of its forms. */
export function createAccountForm ({ action, account, signIn, formKeys, acceptsTrust, done, showPage }: Options) {
  /**
   * Requests the code in a session from before two-step sign-in was on, which has only the password. Otherwise, someone who knows the
   * password could turn it off. Returns whether it did.
   */
  async function requestsCode (reply: FastifyReply, session: FoundSession): Promise<boolean> {
    const { userId, username, factors } = session
    const step = await findStep(session, async () => acceptsTrust && await reply.request.isTrustedBy(userId))
    if (step?.outcome !== 'factor') return false
    await showFactorPage(reply, formKeys, formOf(account), { username, factors, page: { userId } })
    return true
  }

  /** @throws OAuthError */
  function verify (request: FastifyRequest): FormToken {
    return verifyPageToken(request, formKeys, ACCOUNT_FORM, single(request.form, 'transaction'))
  }

  return {
    /** @param showSignedOut shows a page to users without a session; by default, the account page */
    async show (reply: FastifyReply, showSignedOut = toAccount): Promise<FastifyReply> {
      const session = await reply.request.session()
      if (session === null) return await showSignedOut(reply)
      if (await requestsCode(reply, session)) return reply
      const key = done.get(reply.takeFlash() ?? '')
      return await showPage(reply, session, key === undefined ? undefined : { text: message(key), isError: false })
    },

    /**
     * Handles a form: the user of the page must still be signed in.
     * @param signInStep replies to the forms of a sign-in; to other forms, it does not
     */
    async submit (
      reply: FastifyReply,
      actions: AccountActions,
      signInStep?: (reply: FastifyReply, session: FoundSession | null) => Promise<unknown>
    ): Promise<FastifyReply> {
      const { request } = reply
      const decision = single(request.form, 'decision')
      const session = await request.session()
      await signInStep?.(reply, session)
      if (reply.sent) return reply
      if (session !== null && !SIGN_OUTS.includes(decision) && await requestsCode(reply, session)) return reply
      const act = onOwnPage(request, action, () => {
        const page = verify(request)
        if (session === null || session.userId !== page.userId) {
          throw errors.foreignForm('another user has signed in since, or the session was revoked')
        }
        const found = actions.get(decision)
        if (found === undefined) throw errors.invalidForm('no decision')
        return () => found(reply, session, page)
      })
      return await act()
    },

    /** Verifies the form token of a sign-in. @throws OAuthError */
    verifySignIn: (request: FastifyRequest) => onOwnPage(request, action, () => verify(request)),

    /** An action that requires the password. */
    withPassword (change: (reply: FastifyReply, session: Session, user: User) => Promise<FastifyReply>): Action {
      return async (reply, session) => {
        const result = await checkPassword({ signIn, reply }, session.username)
        if (!('message' in result)) return await change(reply, session, result)
        const { statusCode, message: text } = result
        return await showPage(reply.code(statusCode), session, { text, isError: true, isWrong: statusCode === 403 })
      }
    },

    async refuse (reply: FastifyReply, session: Session, text: Message): Promise<FastifyReply> {
      return await showPage(reply.code(409), session, { text, isError: true })
    },

    /** Redirects (post/redirect/get), so that a reload does not submit the form again. @param result see `done` */
    redirect (reply: FastifyReply, result: string): FastifyReply {
      reply.setFlash(result)
      return reply.header('cache-control', 'no-store').redirect(action, 303)
    }
  }

  async function toAccount (reply: FastifyReply): Promise<FastifyReply> {
    return reply.redirect(account, 303)
  }
}

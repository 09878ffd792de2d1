import { queryOf } from '@frontdesk/service-kit/path'
import { Type, type TProperties } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignInWithPasskey } from '../consent/sign-in-with-passkey.js'
import type { UseFactor } from '../consent/use-factor.js'
import type { Credentials, Visit } from '../consent/visit.js'
import type { FormKeys } from '../consent/form-keys.js'
import { issueFormToken, verifyFormToken, type Binding, type FormToken, type PageState } from '../consent/form-token.js'
import { errors, OAuthError } from '../oauth/errors.js'
import { single, type Parameters } from '../oauth/parameters.js'
import type { SignIn } from '../sign-in/sign-in.js'
import { beginSecondStep } from './sign-in/attempt-second-step.js'
import { beginSignIn } from './sign-in/attempt-sign-in.js'
import { ENROLLING_STEPS, type EnrollDuringSignIn } from './sign-in/step-form.js'

/** The checks of both steps of a sign-in. */
export interface SignInSteps {
  readonly signIn: SignIn
  readonly signInWithPasskey: SignInWithPasskey
  readonly useFactor: UseFactor
  readonly enrolling: EnrollDuringSignIn
}

/** The browser that submits a form, for decisions. @param query see {@link formBinding} */
export function createVisit ({ useFactor, ...steps }: Omit<SignInSteps, 'enrolling'>, reply: FastifyReply, query: string): Visit {
  const { request, server } = reply
  const now = server.clock.now()
  return {
    now,
    binding: formBinding(request, query),
    session: clientId => request.session(clientId),
    signIn: (form, clientId) => beginSignIn({ ...steps, reply, now }, form, clientId),
    useFactor: (first, clientId) => beginSecondStep({ useFactor, reply, now }, first, clientId),
    isTrustedBy: userId => request.isTrustedBy(userId),
    async signOut () {
      const userId = await reply.signOut()
      if (userId !== null) request.audit({ event: 'sign-out', outcome: 'done', userId })
    }
  }
}

/**
 * The binding that a submitted form's token must have.
 * @param query the authorization request, byte for byte, or a constant for other forms
 * @throws OAuthError `cookiesOff` if the browser sent no cookie, although the page set one
 */
function formBinding ({ headers, browser }: FastifyRequest, query: string): Binding {
  if (headers.cookie === undefined) throw errors.cookiesOff('a form without any cookie')
  return { browser: browser ?? '', query }
}

/** Issues the form token of a page. @param query see {@link formBinding} */
export function issuePageToken (reply: FastifyReply, formKeys: FormKeys, query: string, state?: PageState): string {
  return issueFormToken(formKeys, { browser: reply.rememberBrowser(), query }, reply.server.clock.now(), state)
}

/** Verifies the form token of a submitted form. @throws OAuthError `cookiesOff`, `foreignForm`, `expiredForm` */
export function verifyPageToken (request: FastifyRequest, formKeys: FormKeys, query: string, field = ''): FormToken {
  return verifyFormToken(formKeys, field, formBinding(request, query), request.server.clock.now())
}

/**
 * Notes for the page of an authorization request, which follows in the same browser, that a user has just signed in for it elsewhere.
 * @param page address of the page
 */
export function noteSignedIn (reply: FastifyReply, formKeys: FormKeys, page: string, userId: string): void {
  reply.setFlash(issuePageToken(reply, formKeys, queryOf(page), { userId, hasSignedIn: true }))
}

/** Takes the note of {@link noteSignedIn}. Returns the id of the user who has signed in for this request; `undefined`: none. */
export function takeSignedInNote (reply: FastifyReply, formKeys: FormKeys, query: string): string | undefined {
  const note = reply.takeFlash()
  try {
    const { userId, hasSignedIn } = verifyPageToken(reply.request, formKeys, query, note)
    return hasSignedIn ? userId : undefined
  } catch (error) {
    if (error instanceof OAuthError) return undefined
    throw error
  }
}

/**
 * Checks a form that does not belong to an app's request. Errors link to its page, and say what to do there.
 * @param page address of the page
 */
export function onOwnPage<T> (request: FastifyRequest, page: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof OAuthError) || error.kind === 'cookiesOff') throw error
    request.startAgain = page
    throw new OAuthError({ ...error, advice: 'advice.own-page' }, error.message, error.facts)
  }
}

/**
 * Documents a form that {@link readDecision} reads, and those of the steps that set up a factor.
 * @param description of the buttons
 * @param fields others of this form
 */
export function decisionForm (decisions: readonly string[], description: string, fields: TProperties = {}) {
  return Type.Object({
    transaction: Type.String({ description: 'The page\'s hidden field.' }),
    ...fields,
    decision: Type.Union([...decisions, ...ENROLLING_STEPS].map(it => Type.Literal(it)), {
      description: `${description} Or a step that sets up a required factor: email a code, enter it, or confirm the app or passkey.`
    }),
    username: Type.Optional(Type.String()),
    password: Type.Optional(Type.String()),
    passkey: Type.Optional(Type.String({
      description: 'The signed response of a passkey, instead of a user name and password: JSON of `PublicKeyCredential.toJSON()`.'
    })),
    code: Type.Optional(Type.String({
      description: 'Code of a second factor or an email, or the response of a new passkey, if the page requests one.'
    })),
    name: Type.Optional(Type.String({ description: 'Name of a new passkey.' })),
    app: Type.Optional(Type.String({ description: 'The hidden field of the page that confirms an authenticator app.' })),
    trust: Type.Optional(Type.Literal('yes', { description: 'Whether to trust the browser, so that it needs no code for 30 days.' }))
  })
}

/** Fields of a decision's form, each at most once. */
const FIELDS = ['decision', 'transaction', 'username', 'password', 'passkey', 'code', 'trust', 'app']

/** Reads a form and its decision, the button. @throws OAuthError `invalidForm` if it has no decision, or repeats a field */
export function readDecision<D extends string> (form: Parameters, decisions: readonly D[]) {
  const repeated = FIELDS.find(name => Array.isArray(form[name]))
  if (repeated !== undefined) throw errors.invalidForm(`${repeated} is repeated`)
  const pressed = single(form, 'decision')
  const decision = decisions.find(it => it === pressed)
  if (decision === undefined) throw errors.invalidForm('no decision')
  return { ...readCredentials(form), transaction: single(form, 'transaction') ?? '', code: single(form, 'code'), decision }
}

/** Reads the fields of a sign-in. @throws OAuthError `invalidRequest` if one is repeated */
export function readCredentials (form: Parameters): Credentials {
  return { username: single(form, 'username'), password: single(form, 'password'), passkey: single(form, 'passkey') }
}

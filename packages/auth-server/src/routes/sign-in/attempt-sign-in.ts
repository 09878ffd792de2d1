import type { FastifyReply } from 'fastify'
import type { SignInWithPasskey } from '../../consent/sign-in-with-passkey.js'
import type { Credentials, SignInFailure, StartingSession } from '../../consent/visit.js'
import { PASSKEY, PASSWORD, type Authentication } from '../../oauth/authentication.js'
import { single } from '../../oauth/parameters.js'
import type { SignInResult, Visitor } from '../../sign-in/limit-sign-in.js'
import { credentialState } from '../../sign-in/password-link.js'
import type { SignIn } from '../../sign-in/sign-in.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { FoundUser } from '../../stores/users/user-lookup.js'
import type { User } from '../../stores/users/users.js'
import { message, type Message } from '../../languages/translator.js'
import { signInEnded } from '../../telemetry/events.js'

/** A sign-in from a browser. */
interface Attempt {
  readonly signIn: SignIn
  readonly signInWithPasskey: SignInWithPasskey
  readonly reply: FastifyReply
  readonly now: Date
}

/** A user whose password, code or passkey was right. */
interface Proven extends Authentication {
  readonly user: FoundUser
  /** Kind of the used factor; `undefined`: none. */
  readonly factor?: string
  /** The request's client; `undefined`: the account page. */
  readonly clientId: string | undefined
  /** Await it before the response. */
  readonly counted: Promise<unknown>
}

/** Checks a password or passkey. Records the outcome, and sets `Retry-After` if throttled. */
export async function beginSignIn (attempt: Attempt, form: Credentials, clientId?: string): Promise<StartingSession | SignInFailure> {
  const { signInWithPasskey, reply, now } = attempt
  if (form.passkey === undefined) {
    const verified = await verify(attempt, form, clientId)
    return 'message' in verified ? verified : startingSession(reply, { ...verified, clientId, authTime: now, amr: PASSWORD })
  }
  const signed = { response: form.passkey, transaction: single(reply.request.form, 'transaction') ?? '', now }
  const [result, factor] = [await signInWithPasskey(signed, visitorOf(reply), clientId), 'passkey']
  return result.outcome === 'signed in'
    ? startingSession(reply, { ...result, factor, clientId, authTime: now, amr: PASSKEY })
    : { ...fail(reply, result, { username: '', clientId, factor }), isOfPasskey: true }
}

/** Checks the password of a form without starting a session. @param username of the user whom the page names */
export async function checkPassword (attempt: Pick<Attempt, 'signIn' | 'reply'>, username: string): Promise<User | SignInFailure> {
  const verified = await verify(attempt, { username, password: single(attempt.reply.request.form, 'password') })
  if ('message' in verified) return verified.statusCode === 403 ? { ...verified, message: message('failure.wrong-own-password') } : verified
  recordSuccess(attempt.reply, 'signed in', { ...verified, clientId: undefined })
  await verified.counted
  return verified.user
}

/** A sign-in that can start its session. */
export function startingSession (reply: FastifyReply, proven: Proven): StartingSession {
  const { user, clientId, counted, authTime, amr } = proven
  const authentication = { authTime, amr }
  return {
    user,
    passed: { userId: user.id, state: credentialState(user) },
    ...authentication,
    start () {
      recordSuccess(reply, 'signed in', proven)
      const started = Promise.all([reply.signIn(user, authentication), counted]).then(([session]): Session | SignInFailure => {
        if (session === null) return { statusCode: 403, message: SIGN_IN_ENDED, username: user.username }
        reply.request.locale = user.locale
        reply.seeBrowser(user, { clientId })
        return session
      })
      // It is awaited later.
      started.catch(() => {})
      return started
    },
    async postpone () {
      recordSuccess(reply, 'second factor', proven)
      await counted
    }
  }
}

export const SIGN_IN_ENDED = message('failure.ended')

async function verify (
  { signIn, reply }: Pick<Attempt, 'signIn' | 'reply'>,
  { username = '', password = '' }: Credentials,
  clientId?: string
): Promise<Extract<SignInResult, { outcome: 'signed in' }> | SignInFailure> {
  const result = await signIn({ username, password }, visitorOf(reply), clientId)
  return result.outcome === 'signed in' ? result : fail(reply, result, { username, clientId })
}

function visitorOf ({ request }: FastifyReply): Visitor {
  return { address: request.ip, isGone: () => request.raw.socket.destroyed }
}

/** What was tried. `username`: as typed. `factor`: the kind, instead of a password. */
interface Tried { readonly username: string, readonly clientId: string | undefined, readonly factor?: string }

type Failed = Exclude<SignInResult, { outcome: 'signed in' }>

function fail (reply: FastifyReply, result: Failed, tried: Tried): SignInFailure {
  return recordFailure(reply, describeFailure(result, tried), { ...tried, userId: result.outcome === 'wrong' ? result.userId : null })
}

/** A failure, with its outcome for the audit trail. */
interface DescribedFailure extends Pick<SignInFailure, 'statusCode' | 'message' | 'isOfCode' | 'factors'> {
  readonly outcome: 'wrong' | 'wrong code' | 'throttled' | 'busy'
  readonly retryAfter?: number
}

/** Records a failed sign-in, and sets `Retry-After` if throttled. */
export function recordFailure (
  reply: FastifyReply,
  { outcome, retryAfter, ...failure }: DescribedFailure,
  { username, clientId, userId, factor }: Tried & { readonly userId: string | null }
): SignInFailure {
  const { request } = reply
  request.log.info({ outcome }, 'sign-in')
  signInEnded.publish({ outcome })
  // Without the user name: users type passwords there by mistake.
  request.auditUnproven({ event: 'sign-in', outcome, userId, ...describeAttempt({ clientId, factor }) })
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  return { ...failure, username }
}

/** Records a sign-in; or that a password was right, and a factor is required. */
function recordSuccess (
  { request }: FastifyReply,
  outcome: 'signed in' | 'second factor',
  { user: { id: userId }, clientId, factor }: Pick<Proven, 'user' | 'clientId' | 'factor'>
): void {
  request.log.info({ outcome }, 'sign-in')
  if (outcome === 'signed in') signInEnded.publish({ outcome })
  request.audit({ event: 'sign-in', outcome, userId, ...describeAttempt({ clientId, factor }) })
}

/** The client and the factor, for the audit trail. */
function describeAttempt ({ clientId, factor }: { readonly clientId: string | undefined, readonly factor: string | undefined }) {
  return { ...clientId !== undefined && { clientId }, ...factor !== undefined && { details: { factor } } }
}

function describeFailure (result: Failed, { factor }: Tried): DescribedFailure {
  switch (result.outcome) {
    case 'wrong': return { outcome: 'wrong', statusCode: 403, message: message(factor === undefined ? 'failure.wrong-password' : 'failure.wrong-passkey') }
    case 'throttled': return tooManyAttempts(result.retryAfter)
    case 'busy':
      return { outcome: 'busy', statusCode: 503, message: message('failure.busy'), retryAfter: 2 }
  }
}

export function tooManyAttempts (retryAfter: number): DescribedFailure {
  return { outcome: 'throttled', statusCode: 429, message: message('failure.throttled', { minutes: minutesOf(retryAfter) }), retryAfter }
}

/** Says that a user has to wait for another email. @param seconds until another one is sent */
export function tooManyEmails (seconds: number): Message {
  return message('failure.too-many-emails', { minutes: minutesOf(seconds) })
}

/** The whole minutes to wait. @param seconds until another attempt counts */
export function minutesOf (seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60))
}

import type { FastifyReply } from 'fastify'
import type { Credentials, SignInFailure, StartingSession } from '../consent/visit.js'
import { PASSWORD, type Authentication } from '../oauth/authentication.js'
import { credentialState } from '../sign-in/password-link.js'
import type { SignIn, SignInResult } from '../sign-in/sign-in.js'
import type { Session } from '../stores/sessions/session-list.js'
import type { FoundUser } from '../stores/users/user-lookup.js'
import type { User } from '../stores/users/users.js'
import { signInEnded } from '../telemetry/events.js'

/** A sign-in from a browser. */
interface Attempt {
  readonly signIn: SignIn
  readonly reply: FastifyReply
  readonly now: Date
}

/** A user whose password or code was right. */
interface Proven extends Authentication {
  readonly user: FoundUser
  /** Kind of the used factor; `undefined`: none. */
  readonly factor?: string
  /** The request's client; `undefined`: the account page. */
  readonly clientId: string | undefined
  /** Await it before the response. */
  readonly counted: Promise<unknown>
}

/** Checks a password. Records the outcome, and sets `Retry-After` if throttled. */
export async function beginSignIn (attempt: Attempt, form: Credentials, clientId?: string): Promise<StartingSession | SignInFailure> {
  const verified = await verify(attempt, form, clientId)
  if ('message' in verified) return verified
  return startingSession(attempt.reply, { ...verified, clientId, authTime: attempt.now, amr: PASSWORD })
}

/** Does the same without a session. */
export async function checkPassword (attempt: Omit<Attempt, 'now'>, form: Credentials): Promise<User | SignInFailure> {
  const verified = await verify(attempt, form)
  if ('message' in verified) return verified
  recordSuccess(attempt.reply, 'signed in', { ...verified, clientId: undefined })
  await verified.counted
  return verified.user
}

/** A sign-in that can start its session. */
export function startingSession (reply: FastifyReply, proven: Proven): StartingSession {
  const { user, counted, authTime, amr } = proven
  const authentication = { authTime, amr }
  return {
    user,
    passed: { userId: user.id, state: credentialState(user) },
    ...authentication,
    start () {
      recordSuccess(reply, 'signed in', proven)
      const started = Promise.all([reply.signIn(user, authentication), counted]).then(([session]): Session | SignInFailure => session ??
        { statusCode: 403, message: SIGN_IN_ENDED, username: user.username })
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

export const SIGN_IN_ENDED = 'Your password or account changed while you were signing in. Sign in again.'

async function verify (
  { signIn, reply }: Omit<Attempt, 'now'>,
  { username = '', password = '' }: Credentials,
  clientId?: string
): Promise<Extract<SignInResult, { outcome: 'signed in' }> | SignInFailure> {
  const { request } = reply
  const visitor = { address: request.ip, isGone: () => request.raw.socket.destroyed }
  const result = await signIn({ username, password }, visitor, clientId)
  if (result.outcome === 'signed in') return result
  return recordFailure(reply, describeFailure(result), { username, clientId, userId: result.outcome === 'wrong' ? result.userId : null })
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
  { username, clientId, userId }: { readonly username: string, readonly clientId: string | undefined, readonly userId: string | null }
): SignInFailure {
  const { request } = reply
  request.log.info({ outcome }, 'sign-in')
  signInEnded.publish({ outcome })
  // Without the user name: users type passwords there by mistake.
  request.auditUnproven({ event: 'sign-in', outcome, userId, ...(clientId === undefined ? {} : { clientId }) })
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
  const client = clientId === undefined ? {} : { clientId }
  request.audit({ event: 'sign-in', outcome, userId, ...client, ...(factor === undefined ? {} : { details: { factor } }) })
}

function describeFailure (result: Exclude<SignInResult, { outcome: 'signed in' }>): DescribedFailure {
  switch (result.outcome) {
    case 'wrong': return { outcome: 'wrong', statusCode: 403, message: 'Wrong user name or password.' }
    case 'throttled': return tooManyAttempts(result.retryAfter)
    case 'busy':
      return { outcome: 'busy', statusCode: 503, message: 'Too many people are signing in. Try again in a few seconds.', retryAfter: 2 }
  }
}

export function tooManyAttempts (retryAfter: number): DescribedFailure {
  return { outcome: 'throttled', statusCode: 429, message: `Too many attempts. ${tryAgainIn(retryAfter)}`, retryAfter }
}

/** "Try again in 15 minutes." @param seconds until another attempt counts, rounded up to minutes */
export function tryAgainIn (seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
}

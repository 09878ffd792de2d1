import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignIn, SignInResult } from '../sign-in/sign-in.js'
import type { Session } from '../stores/session-list.js'
import type { FoundUser, User } from '../stores/users.js'
import { signInEnded } from '../telemetry/events.js'
import { tryAgainIn } from './try-again-in.js'

/** The fields of a sign-in form. */
export interface Credentials { username?: string | undefined, password?: string | undefined }

/** A failed sign-in, as a page shows it. */
export interface SignInFailure { statusCode: 403 | 429 | 503, message: string, username: string }

/** A session that starts after a password was verified. */
export interface StartingSession {
  readonly user: FoundUser
  /** Ends with the session, or why it was refused: no response may be sent before. */
  readonly started: Promise<Session | SignInFailure>
}

/** Signs a person in if the password is right. Records the outcome, and sets `Retry-After` if throttled. */
export async function attemptSignIn (
  signIn: SignIn,
  form: Credentials,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date
): Promise<Session | SignInFailure> {
  const starting = await beginSignIn(signIn, form, request, reply, now)
  return 'message' in starting ? starting : await starting.started
}

/** Does the same, but does not wait until the session is written, so that other rows can be written meanwhile. */
export async function beginSignIn (
  signIn: SignIn,
  form: Credentials,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
  clientId?: string
): Promise<StartingSession | SignInFailure> {
  const verified = await verify(signIn, form, request, reply, clientId)
  if ('message' in verified) return verified
  const { user, counted } = verified
  const started = Promise.all([reply.signIn(user, now), counted]).then(([session]): Session | SignInFailure => session ??
    { statusCode: 403, message: 'Your password or account changed while you were signing in. Sign in again.', username: user.username })
  started.catch(() => {})
  return { user, started }
}

/** Checks a password as {@link attemptSignIn} does, without signing in. */
export async function checkPassword (
  signIn: SignIn,
  form: Credentials,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<User | SignInFailure> {
  const verified = await verify(signIn, form, request, reply)
  if ('message' in verified) return verified
  await verified.counted
  return verified.user
}

async function verify (
  signIn: SignIn,
  { username = '', password = '' }: Credentials,
  request: FastifyRequest,
  reply: FastifyReply,
  clientId?: string
): Promise<Extract<SignInResult, { outcome: 'signed in' }> | SignInFailure> {
  const result = await signIn(username, password, request.ip, () => request.raw.socket.destroyed, clientId)
  request.log.info({ outcome: result.outcome }, 'sign-in')
  signInEnded.publish({ outcome: result.outcome })
  const attempt = { event: 'sign-in' as const, outcome: result.outcome, ...(clientId === undefined ? {} : { clientId }) }
  if (result.outcome === 'signed in') {
    request.audit({ ...attempt, userId: result.user.id })
    return result
  }
  // Without the user name: people type passwords there by mistake.
  request.auditUnproven({ ...attempt, userId: result.outcome === 'wrong' ? result.userId : null })
  const { retryAfter, ...failure } = describeFailure(result)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  return { ...failure, username }
}

function describeFailure (
  result: Exclude<SignInResult, { outcome: 'signed in' }>
): Omit<SignInFailure, 'username'> & { retryAfter?: number } {
  switch (result.outcome) {
    case 'wrong':
      return { statusCode: 403, message: 'Wrong user name or password.' }
    case 'throttled':
      return {
        statusCode: 429,
        message: `Too many attempts. ${tryAgainIn(result.retryAfter)}`,
        retryAfter: result.retryAfter
      }
    case 'busy':
      return { statusCode: 503, message: 'Too many people are signing in. Try again in a few seconds.', retryAfter: 2 }
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignIn, SignInResult } from '../sign-in/sign-in.js'
import type { Session } from '../stores/session-list.js'
import type { User } from '../stores/users.js'
import { signInEnded } from '../telemetry/events.js'

/** The fields of a sign-in form. */
interface Credentials { username?: string | undefined, password?: string | undefined }

/** A failed sign-in, as a page shows it. */
export interface SignInFailure { statusCode: 403 | 429 | 503, message: string, username: string }

/** Signs a person in if the password is right. Records the outcome, and sets `Retry-After` if throttled. */
export async function attemptSignIn (
  signIn: SignIn,
  form: Credentials,
  request: FastifyRequest,
  reply: FastifyReply,
  now: Date,
  clientId?: string
): Promise<Session | SignInFailure> {
  const user = await checkPassword(signIn, form, request, reply, clientId)
  if ('message' in user) return user
  return await reply.signIn(user, now) ??
    { statusCode: 403, message: 'Your password or your account changed while you signed in. Sign in again.', username: user.username }
}

/** Checks a password as {@link attemptSignIn} does, without signing in. */
export async function checkPassword (
  signIn: SignIn,
  { username = '', password = '' }: Credentials,
  request: FastifyRequest,
  reply: FastifyReply,
  clientId?: string
): Promise<User | SignInFailure> {
  const result = await signIn(username, password, request.ip, () => request.raw.socket.destroyed)
  request.log.info({ outcome: result.outcome }, 'sign-in')
  signInEnded.publish({ outcome: result.outcome })
  const attempt = { event: 'sign-in' as const, outcome: result.outcome, ...(clientId === undefined ? {} : { clientId }) }
  if (result.outcome === 'signed in') {
    request.audit({ ...attempt, userId: result.user.id })
    return result.user
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
      return { statusCode: 403, message: 'The user name or the password is wrong.' }
    case 'throttled':
      return {
        statusCode: 429,
        message: `Too many attempts. Wait ${Math.ceil(result.retryAfter / 60)} min, then try again.`,
        retryAfter: result.retryAfter
      }
    case 'busy':
      return { statusCode: 503, message: 'Too many people are signing in. Try again in a few seconds.', retryAfter: 2 }
  }
}

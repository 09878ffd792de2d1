import type { FastifyReply } from 'fastify'
import type { Credentials, SignInFailure, StartingSession } from '../consent/decide.js'
import { PASSWORD } from '../oauth/authentication.js'
import type { SignIn, SignInResult } from '../sign-in/sign-in.js'
import type { Session } from '../stores/sessions/session-list.js'
import type { User } from '../stores/users/users.js'
import { signInEnded } from '../telemetry/events.js'

/** A sign-in from a browser. */
interface Attempt {
  readonly signIn: SignIn
  readonly reply: FastifyReply
  readonly now: Date
}

/** Signs a user in if the password is correct. Records the outcome, and sets `Retry-After` if throttled. */
export async function attemptSignIn (attempt: Attempt, form: Credentials): Promise<Session | SignInFailure> {
  const starting = await beginSignIn(attempt, form)
  return 'message' in starting ? starting : await starting.started
}

/** Does the same without waiting for the session to be stored, so that other rows can be written concurrently. */
export async function beginSignIn (attempt: Attempt, form: Credentials, clientId?: string): Promise<StartingSession | SignInFailure> {
  const verified = await verify(attempt, form, clientId)
  if ('message' in verified) return verified
  const { user, counted } = verified
  const { reply, now } = attempt
  const stored = reply.signIn(user, { authTime: now, amr: PASSWORD })
  const started = Promise.all([stored, counted]).then(([session]): Session | SignInFailure => session ??
    { statusCode: 403, message: 'Your password or account changed while you were signing in. Sign in again.', username: user.username })
  started.catch(() => {})
  return { user, started }
}

/** Checks a password as {@link attemptSignIn} does, without signing in. */
export async function checkPassword (attempt: Omit<Attempt, 'now'>, form: Credentials): Promise<User | SignInFailure> {
  const verified = await verify(attempt, form)
  if ('message' in verified) return verified
  await verified.counted
  return verified.user
}

async function verify (
  { signIn, reply }: Omit<Attempt, 'now'>,
  { username = '', password = '' }: Credentials,
  clientId?: string
): Promise<Extract<SignInResult, { outcome: 'signed in' }> | SignInFailure> {
  const { request } = reply
  const visitor = { address: request.ip, isGone: () => request.raw.socket.destroyed }
  const result = await signIn({ username, password }, visitor, clientId)
  request.log.info({ outcome: result.outcome }, 'sign-in')
  signInEnded.publish({ outcome: result.outcome })
  const attempt = { event: 'sign-in' as const, outcome: result.outcome, ...(clientId === undefined ? {} : { clientId }) }
  if (result.outcome === 'signed in') {
    request.audit({ ...attempt, userId: result.user.id })
    return result
  }
  // Without the user name: users type passwords there by mistake.
  request.auditUnproven({ ...attempt, userId: result.outcome === 'wrong' ? result.userId : null })
  const { retryAfter, ...failure } = describeFailure(result)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  return { ...failure, username }
}

function describeFailure (
  result: Exclude<SignInResult, { outcome: 'signed in' }>
): Omit<SignInFailure, 'username'> & { retryAfter?: number } {
  switch (result.outcome) {
    case 'wrong': return { statusCode: 403, message: 'Wrong user name or password.' }
    case 'throttled':
      return { statusCode: 429, message: `Too many attempts. ${tryAgainIn(result.retryAfter)}`, retryAfter: result.retryAfter }
    case 'busy': return { statusCode: 503, message: 'Too many people are signing in. Try again in a few seconds.', retryAfter: 2 }
  }
}

/** "Try again in 15 minutes." @param seconds until another attempt counts, rounded up to minutes */
export function tryAgainIn (seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
}

import type { FastifyReply } from 'fastify'
import type { PassedPassword } from '../../consent/form-token.js'
import type { UseFactor } from '../../consent/use-factor.js'
import type { SignInFailure, StartingSession } from '../../consent/visit.js'
import { message, type Message } from '../../languages/translator.js'
import { PASSWORD, withFactor } from '../../oauth/authentication.js'
import { single, type Parameters } from '../../oauth/parameters.js'
import type { Session } from '../../stores/sessions/session-list.js'
import type { FoundSession } from '../../stores/sessions/sessions.js'
import type { FoundUser } from '../../stores/users/user-lookup.js'
import { recordFailure, SIGN_IN_ENDED, startingSession, tooManyAttempts } from './attempt-sign-in.js'

/** The second step of a sign-in from a browser. */
interface Attempt {
  readonly useFactor: UseFactor
  readonly reply: FastifyReply
  readonly now: Date
}

/**
 * Checks the code of a form. Records the outcome, and sets `Retry-After` if throttled. The new session trusts the browser if the form
 * says so.
 * @param first the password of this sign-in; or a session, whose `authTime` stays
 */
export async function beginSecondStep (
  { useFactor, reply, now }: Attempt, first: PassedPassword | FoundSession, clientId?: string
): Promise<StartingSession | SignInFailure> {
  const { request } = reply
  const result = await useFactor(first, request.form, { address: request.ip, now }, clientId)
  if (result.outcome === 'ended') return { statusCode: 403, message: SIGN_IN_ENDED, username: '' }
  const { user } = result
  if (result.outcome === 'signed in') {
    const { factor: { kind: factor, amr }, counted } = result
    const before = 'authTime' in first ? first : { authTime: now, amr: PASSWORD }
    const authentication = { authTime: before.authTime, amr: withFactor(before.amr, amr) }
    const starting = startingSession(reply, { user, factor, clientId, counted, ...authentication })
    const start = async () => await trust(reply, user, await starting.start())
    return single(request.form, 'trust') === 'yes' ? { ...starting, start } : starting
  }
  const refused = { username: user.username, clientId, userId: user.id }
  const { factors } = user
  const failure = result.outcome === 'throttled'
    ? tooManyAttempts(result.retryAfter)
    : { outcome: 'wrong code', statusCode: 403, message: whyWrong(request.form) } as const
  return recordFailure(reply, { ...failure, isOfCode: true, factors }, refused)
}

/** Trusts the browser of a session that has started. */
async function trust (reply: FastifyReply, user: FoundUser, session: Session | SignInFailure): Promise<Session | SignInFailure> {
  if (!('message' in session)) await reply.trustBrowser(user)
  return session
}

function whyWrong ({ code }: Parameters): Message {
  const isPasskey = typeof code === 'string' && code.startsWith('{')
  return message(isPasskey ? 'failure.wrong-factor-passkey' : 'failure.wrong-code')
}

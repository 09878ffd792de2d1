import type { FastifyRequest } from 'fastify'
import { errors } from '../oauth/errors.js'
import type { FoundSession } from '../stores/sessions.js'

/** The session of the person that a page named. @throws OAuthError `foreignForm` if another person has signed in */
export async function sameSession (request: FastifyRequest, userId: string, clientId: string): Promise<FoundSession> {
  const session = await request.session(clientId)
  if (session?.userId !== userId) throw errors.foreignForm('another user has signed in since, or the session was revoked')
  return session
}

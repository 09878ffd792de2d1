import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../input/slots.js'
import type { Actor } from '../../stores/changes/change.js'

/** The caller of a request, as changes record it. */
export function actorOf ({ id, accessToken }: FastifyRequest): Actor {
  return { sub: accessToken?.sub ?? null, clientId: accessToken?.client_id ?? null, requestId: id, operationId: null }
}

/** The caller of a request, as limits count it: user and client or, without access tokens, the IP address. */
export function callerOf ({ ip, accessToken }: FastifyRequest): Caller {
  if (accessToken === null) return { client: ip, user: ip }
  return { client: JSON.stringify([accessToken.sub, accessToken.client_id]), user: accessToken.sub }
}

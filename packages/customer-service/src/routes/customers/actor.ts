import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../input/slots.js'
import type { Actor } from '../../stores/changes/change.js'

/** Who makes the change that a request names. */
export function actorOf ({ id, accessToken }: FastifyRequest): Actor {
  return { sub: accessToken?.sub ?? null, clientId: accessToken?.client_id ?? null, requestId: id }
}

/** Identifies the person and the app that made a request, for limits; without access tokens, the address. */
export function callerOf ({ ip, accessToken }: FastifyRequest): Caller {
  if (accessToken === null) return { app: ip, person: ip }
  return { app: JSON.stringify([accessToken.sub, accessToken.client_id]), person: accessToken.sub }
}

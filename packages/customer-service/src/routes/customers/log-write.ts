import type { FastifyRequest } from 'fastify'

/** The kinds of writes. */
export type Write = 'add' | 'change-address' | 'replace' | 'patch' | 'remove'

/**
 * Logs a committed write: the identifier of the customer, no other data, and `sub`, `client_id` and `jti` of the token if
 * one is needed.
 */
export function logWrite ({ log, accessToken }: FastifyRequest, write: Write, customerid: number): void {
  const who = accessToken === null ? {} : { sub: accessToken.sub, client_id: accessToken.client_id, jti: accessToken.jti }
  log.info({ write, customerid, ...who }, 'customer changed')
}

import type { FastifyRequest } from 'fastify'

/** What was done to a customer. */
export type Write = 'add' | 'change-address' | 'replace' | 'patch' | 'remove'

/**
 * Logs who changed which customer, once the database has it; nothing of the customer but the identifier. Without `sub`,
 * `client_id` and `jti` where no token is needed.
 */
export function logWrite ({ log, accessToken }: FastifyRequest, write: Write, customerid: number): void {
  const who = accessToken === null ? {} : { sub: accessToken.sub, client_id: accessToken.client_id, jti: accessToken.jti }
  log.info({ write, customerid, ...who }, 'customer changed')
}

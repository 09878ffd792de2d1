import type { FastifyRequest } from 'fastify'
import type { ImportReport } from '../../customer/import/report.js'

/** The kinds of writes. */
type Write = 'add' | 'change-address' | 'replace' | 'patch' | 'remove' | 'restore' | 'erase'

/**
 * Logs a committed write: the identifier of the customer, no other data, and `sub`, `client_id` and `jti` of the token if
 * one is needed.
 */
export function logWrite (request: FastifyRequest, write: Write, customerid: number): void {
  request.log.info({ write, customerid, ...whoOf(request) }, 'customer changed')
}

/** Logs an import or its dry run: counts only. */
export function logImport (request: FastifyRequest, { registered, failed, dryRun }: ImportReport): void {
  const counts = { registered, failed, dryRun, ...whoOf(request) }
  if (dryRun) request.log.info(counts, 'file checked')
  else request.log.info({ write: 'import', ...counts }, 'customers imported')
}

function whoOf ({ accessToken }: FastifyRequest) {
  return accessToken === null ? {} : { sub: accessToken.sub, client_id: accessToken.client_id, jti: accessToken.jti }
}

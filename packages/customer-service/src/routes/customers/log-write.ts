import type { FastifyRequest } from 'fastify'
import type { BulkReport } from '../../customer/bulk-report.js'
import type { ImportReport } from '../../customer/import/report.js'
import type { UndoReport } from '../../customer/undo/report.js'

type Write = 'add' | 'change-address' | 'replace' | 'patch' | 'remove' | 'restore' | 'erase' | 'dismiss' | 'merge'

/** Logs a committed write: only the customer's identifier, and the token's `sub`, `client_id` and `jti`. */
export function logWrite (request: FastifyRequest, write: Write, customerid: number): void {
  request.log.info({ write, customerid, ...tokenFields(request) }, 'customer changed')
}

/** Logs the counts of an import or a dry run. */
export function logImport (request: FastifyRequest, { registered, updated, failed, dryRun }: ImportReport): void {
  const counts = { registered, updated, failed, dryRun, ...tokenFields(request) }
  if (dryRun) request.log.info(counts, 'file checked')
  else request.log.info({ write: 'import', ...counts }, 'customers imported')
}

/** Logs the counts of a change of many customers or its dry run. */
export function logBulk (request: FastifyRequest, { operation, removed, changed, failed, dryRun }: BulkReport): void {
  const counts = { operation, removed, changed, failed: failed.length, dryRun, ...tokenFields(request) }
  if (dryRun) request.log.info(counts, 'change checked')
  else request.log.info({ write: 'bulk', ...counts }, 'customers changed')
}

/** Logs the counts of an undo or its dry run. */
export function logUndo (request: FastifyRequest, { operation, reverted, skipped, dryRun }: UndoReport): void {
  const counts = { operation, reverted, skipped, dryRun, ...tokenFields(request) }
  if (dryRun) request.log.info(counts, 'undo checked')
  else request.log.info({ write: 'undo', ...counts }, 'customers reverted')
}

function tokenFields ({ accessToken }: FastifyRequest) {
  return accessToken === null ? {} : { sub: accessToken.sub, client_id: accessToken.client_id, jti: accessToken.jti }
}

import { integer } from '@frontdesk/service-kit/settings'
import type { Static, TObject } from '@sinclair/typebox'

/** Settings of the audit trail. */
export const auditSettings = {
  AUDIT_RETENTION: integer('How long audit rows are kept, in days.', { minimum: 1, maximum: 3650, unit: 'days', default: 90 }),
  AUDIT_MAX_ROWS: integer('Maximum rows in the audit trail. Above it, the oldest rows of unauthenticated callers are removed first. Rows of operators are always kept.', {
    minimum: 1_000, maximum: 1_000_000_000, default: 10_000_000
  })
}

export interface AuditConfig {
  /** How long the audit trail is kept, in milliseconds. */
  readonly auditRetention: number
  /** Maximum rows of the audit trail. */
  readonly auditMaxRows: number
}

export function readAudit ({ AUDIT_RETENTION, AUDIT_MAX_ROWS }: Static<TObject<typeof auditSettings>>): AuditConfig {
  return { auditRetention: AUDIT_RETENTION * 24 * 60 * 60_000, auditMaxRows: AUDIT_MAX_ROWS }
}

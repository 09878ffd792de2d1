import type { Row } from '@frontdesk/database/rows'
import { audit } from '../../generated/tables.js'

/** The columns of {@link AuditRow}. */
export const { rank: _, position: __, ...LISTED } = audit.columns

/** An event: what happened, when, and who did it. */
export interface AuditRow extends Omit<Row<typeof LISTED>, 'details'> {
  /** Never contains a token, code, password or query string. */
  readonly details: Readonly<Record<string, unknown>>
}

/** An event to add. */
export interface NewAuditRow extends AuditRow {
  /** Whether an unauthenticated request caused it: these rows are removed first. */
  readonly isUnproven?: boolean
  /** Whether an operator caused it, by a command or through the administration API: these rows are not removed before they expire. */
  readonly isOperators?: boolean
}

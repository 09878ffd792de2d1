import type { AuditRow } from '../../stores/operation/audit-row.js'
import { showTime } from '../account/account-page.js'

/** An event of the audit trail for a page. */
export function showEvent ({ at, details, ...row }: AuditRow) {
  return { ...row, at: showTime(at), details: Object.entries(details).map(([name, value]) => ({ name, value: textOf(value) })) }
}

function textOf (value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

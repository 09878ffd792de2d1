import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import type { Config } from '../../config.js'
import { describeFullAudit } from '../../stores/audit.js'

/** Checks that the audit trail has room for more rows. */
export function checkAudit (rows: number, { auditMaxRows }: Pick<Config, 'auditMaxRows'>): Finding {
  const { ok, warning } = findings('audit')
  const full = describeFullAudit(rows, auditMaxRows)
  if (full === null) return ok('The audit trail has room for more rows.')
  return warning(`The audit trail ${full}.`, 'See docs/operations/incidents/long-audit-trail.md, or raise AUDIT_MAX_ROWS.')
}

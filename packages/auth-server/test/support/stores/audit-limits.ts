import { randomBytes } from 'node:crypto'

/** A key of the audit trail's seals. */
export const sealKey = randomBytes(32)

/** The limit of the audit trail. */
export const trimTo = (maxRows: number) => ({ maxRows, key: sealKey })

/** Limits of the audit trail for a clean-up. */
export const auditLimits = (days: number, maxRows = Infinity) => ({ auditRetention: days * 86_400_000, trimming: trimTo(maxRows) })

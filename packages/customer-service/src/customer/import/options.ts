import type { ImportRule } from '../../stores/imports/rule.js'

/** Options of an import. */
export interface ImportOptions {
  /** Registers all records, or none if one has an error. */
  readonly allOrNothing: boolean
  readonly dryRun: boolean
  readonly rule: ImportRule
  /** SHA-256 of the idempotency key and the caller; `null` without a key. */
  readonly hash: string | null
  /** Rejects if the caller's access was revoked or has expired. */
  readonly recheck: () => Promise<void>
}

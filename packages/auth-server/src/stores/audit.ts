/** What requests record; commands record their own names. */
export const REQUEST_EVENTS = ['sign-in', 'sign-out', 'password', 'grant', 'token', 'revocation', 'refusal'] as const

/** What happened, and who did it. */
export interface AuditRow {
  /** UUID of version 7: sorts by time. */
  readonly id: string
  readonly at: Date
  /** What was tried: `sign-in`, `grant`, `client add`… */
  readonly event: string
  /** How it ended: for a refusal, the error code. */
  readonly outcome: string
  readonly userId: string | null
  readonly clientId: string | null
  /** The address that it came from as sign-ins are counted, or `cli`. */
  readonly source: string | null
  /** The reference that an error page shows. */
  readonly requestId: string | null
  /** Never a token, code, password or query. */
  readonly details: Readonly<Record<string, unknown>>
}

/** Which rows are asked for; what is left out does not matter. */
export interface AuditFilter {
  readonly since?: Date | undefined
  readonly event?: string | undefined
  readonly userId?: string | undefined
  readonly clientId?: string | undefined
  readonly requestId?: string | undefined
  /** Id of a row: those before it. */
  readonly before?: string | undefined
}

/** What happened, for who looks into it later. Rows are added and removed, never changed. */
export interface Audit {
  /** Adds rows; those that are there already are left as they are. */
  add (rows: readonly AuditRow[]): Promise<void>
  /** The newest rows that fit, newest first. */
  list (filter: AuditFilter, limit: number): Promise<AuditRow[]>
  /** Removes up to `limit` rows of before that time; says how many. */
  sweep (before: Date, limit: number): Promise<number>
}

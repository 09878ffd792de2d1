/** How often a client was given a token by the implicit grant in one week. */
export interface ImplicitUse {
  readonly clientId: string
  /** Of ISO 8601, in UTC: `2026-W47`. */
  readonly week: string
  readonly uses: number
  readonly firstAt: Date
  readonly lastAt: Date
}

/** Who still uses the implicit grant. */
export interface ImplicitUses {
  /** Adds to what was counted, each client and week once. */
  add (uses: readonly ImplicitUse[]): Promise<void>
  /** All of them, by client and week. */
  list (): Promise<ImplicitUse[]>
}

/** The time that all replicas agree on. */
export interface Clock {
  /** The time by the database's clock: PostgreSQL's own; with SQLite, that of this machine. */
  now (): Date
  /** Seconds that the database's clock is ahead of this machine's; `null` with SQLite, where they are one. */
  ahead (): number | null
  /**
   * Rows that ended by this time may be removed: asks PostgreSQL anew. `null` while this machine's clock, which SQLite goes
   * by, cannot be trusted. @throws if the database does not answer
   */
  settled (): Promise<Date | null>
}

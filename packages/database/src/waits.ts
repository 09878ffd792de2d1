/** Time limits of a request's waits for the database, in milliseconds. */
export const waits = {
  /** Until a statement begins: the rest of 3 s after the slowest statement. */
  queue: 1_250,
  /** Retries of a statement that conflicts with others. */
  statementConflicts: 500,
  /** Retries of a transaction: PostgreSQL detects a deadlock after a second, and then a batch is split. */
  transactionConflicts: 1_250
}

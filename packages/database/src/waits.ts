/** How long a request may wait for the database, in milliseconds. */
export const waits = {
  /** Until a statement begins: the rest of 3 s after the slowest statement. */
  queue: 1_250,
  /** For how long a statement is retried that conflicts with others. */
  statementConflicts: 500,
  /** For how long a transaction is retried: PostgreSQL detects a deadlock after a second, and then a batch is split. */
  transactionConflicts: 1_250
}

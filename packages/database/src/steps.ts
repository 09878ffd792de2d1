import type { SqlQuery } from '@prisma/driver-adapter-utils'

/**
 * A transaction, one statement after the other: each `yield` gives the rows of its statement, and what is returned is the
 * result. SQLite runs them without a pause in between, so that no other statement waits for this transaction. What it
 * throws undoes all.
 */
export type Steps<R> = Generator<SqlQuery, R, unknown[][]>

/** Goes through a transaction whose statements answer at once. */
export function runSync<R> (steps: Steps<R>, run: (query: SqlQuery) => unknown[][]): R {
  let step = steps.next()
  while (step.done !== true) step = steps.next(run(step.value))
  return step.value
}

/** Goes through a transaction whose statements have to be waited for. */
export async function runAsync<R> (steps: Steps<R>, run: (query: SqlQuery) => Promise<unknown[][]>): Promise<R> {
  let step = steps.next()
  while (step.done !== true) step = steps.next(await run(step.value))
  return step.value
}

/** The connection failed during COMMIT: the transaction has been committed, will be, or never. `cause` is the error. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome'
}

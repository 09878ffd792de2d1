export interface Query {
  readonly sql: string
  readonly args: readonly unknown[]
}

/**
 * A transaction as a generator: each `yield` runs a statement and returns its rows. An error rolls the transaction back. On
 * SQLite, the steps run synchronously, so that no other statement has to wait.
 */
export type Steps<R> = Generator<Query, R, unknown[][]>

/** Runs a transaction with a synchronous driver. */
export function runSync<R> (steps: Steps<R>, run: (query: Query) => unknown[][]): R {
  let step = steps.next()
  while (step.done !== true) step = steps.next(run(step.value))
  return step.value
}

/** Runs a transaction with an asynchronous driver. */
export async function runAsync<R> (steps: Steps<R>, run: (query: Query) => Promise<unknown[][]>): Promise<R> {
  let step = steps.next()
  while (step.done !== true) step = steps.next(await run(step.value))
  return step.value
}

/** The connection failed during COMMIT, so the transaction may be committed or not. `cause` is the error. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcome'
}

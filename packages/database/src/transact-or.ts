import type { Connection } from './connection.js'
import type { Steps } from './steps.js'

class RolledBack extends Error {
  readonly result: unknown
  constructor (result: unknown) {
    super('the transaction was rolled back by its own steps')
    this.result = result
  }
}

/**
 * Runs a transaction that can roll itself back and still return a result.
 * @param steps called again for a retry; `throw rolledBack(result)` rolls back
 */
export async function transactOr<R, T> (
  { transact }: Pick<Connection, 'transact'>, steps: (rolledBack: (result: T) => Error) => Steps<R>
): Promise<R | T> {
  try {
    return await transact(() => steps(result => new RolledBack(result)))
  } catch (error) {
    // as: these steps made it.
    if (error instanceof RolledBack) return error.result as T
    throw error
  }
}

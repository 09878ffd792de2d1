import { setTimeout } from 'node:timers/promises'

/**
 * PostgreSQL's codes for a serialization failure, a deadlock, and a reference to a row that another transaction removed
 * after the statement read it; and Prisma's names for them.
 */
const CONFLICT = /^(40001|40P01|23503|TransactionWriteConflict|ForeignKeyConstraintViolation)$/

/** Whether a statement or transaction failed because of a concurrent one: the database has rolled it back, so it can be retried. */
export function isConflict (error: unknown): boolean {
  if (!(error instanceof Object)) return false
  const { code, kind, cause } = error as Record<string, unknown>
  return [code, kind].some(it => typeof it === 'string' && CONFLICT.test(it)) || isConflict(cause)
}

/**
 * Retries a statement or a whole transaction, with backoff, while it conflicts with others.
 * @param budget no retry starts after this many milliseconds
 * @throws what `work` throws
 */
export async function retryConflicts<T> (work: () => Promise<T>, budget: number): Promise<T> {
  const deadline = Date.now() + budget
  for (let pause = 10; ; pause *= 2) {
    try {
      return await work()
    } catch (error) {
      const wait = pause * (0.5 + Math.random())
      if (!isConflict(error) || Date.now() + wait > deadline) throw error
      await setTimeout(wait)
    }
  }
}

import { setTimeout } from 'node:timers/promises'

/**
 * Serialization failure and deadlock of PostgreSQL, and a reference to a row that another transaction removed after the
 * statement read it; and what Prisma's driver calls them.
 */
const CONFLICT = /^(40001|40P01|23503|TransactionWriteConflict|ForeignKeyConstraintViolation)$/

/** Says whether others were in the way of a statement or transaction: the database has undone all of it, so it can be run again. */
export function isConflict (error: unknown): boolean {
  if (!(error instanceof Object)) return false
  const { code, kind, cause } = error as Record<string, unknown>
  return [code, kind].some(it => typeof it === 'string' && CONFLICT.test(it)) || isConflict(cause)
}

/**
 * Runs a statement or a whole transaction again, with backoff, while it conflicts with others.
 * @param budget after how many milliseconds it is not begun again
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

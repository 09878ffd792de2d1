import { setTimeout } from 'node:timers/promises'

/** PostgreSQL's codes for a serialization failure, a deadlock, and a reference to a row that was removed concurrently. */
const CONFLICT = /^(40001|40P01|23503)$/

/** PostgreSQL's code for a row that was locked for longer than `lock_timeout`. */
const LOCK_TIMEOUT = /^55P03$/

/** PostgreSQL's and SQLite's codes for a duplicate of a unique value. */
const DUPLICATE = /^(23505|SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY))$/

/** Whether a statement failed because a value that must be unique is in use. */
export function isDuplicate (error: unknown): boolean {
  return has(DUPLICATE, error)
}

/** Whether a statement or transaction was rolled back because of a concurrent one, so that it can be retried. */
export function isConflict (error: unknown): boolean {
  return has(CONFLICT, error)
}

/** Whether a transaction was rolled back because of a locked row. */
export function isLockTimeout (error: unknown): boolean {
  return has(LOCK_TIMEOUT, error)
}

/** Searches the chain of `cause`. */
function has (codes: RegExp, error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, cause } = error as { code?: unknown, cause?: unknown }
  return (typeof code === 'string' && codes.test(code)) || has(codes, cause)
}

/**
 * Retries a statement or a whole transaction, with backoff, while it conflicts with others.
 * @param budget milliseconds after which no retry starts
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

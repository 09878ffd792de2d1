import Sqlite from 'better-sqlite3'
import { setTimeout } from 'node:timers/promises'
import { TimeoutError } from './unavailable.js'

/**
 * Queues statements that wait for a lock: only the first one retries, because each attempt blocks the thread for a moment. Reads
 * do not wait for writers.
 */
export function lockQueue (lockTimeoutMs: number) {
  let last: Promise<void> | undefined

  return async function inTurn<T> (work: () => T, isRead: boolean): Promise<T> {
    const deadline = Date.now() + lockTimeoutMs
    if (isRead || last === undefined) {
      const done = attempt(work)
      if (done !== undefined) return done.value
    }
    const before = last
    let release = () => {}
    const own = new Promise<void>(resolve => { release = resolve })
    last = own
    try {
      await before
      return await untilUnlocked(work, deadline)
    } finally {
      if (last === own) last = undefined
      release()
    }
  }
}

/** Retries until the database is unlocked. @throws TimeoutError at the deadline, milliseconds since 1970 */
async function untilUnlocked<T> (work: () => T, deadline: number): Promise<T> {
  while (Date.now() < deadline) {
    const done = attempt(work)
    if (done !== undefined) return done.value
    await setTimeout(25)
  }
  throw new TimeoutError('Another process has locked the database.')
}

/** Returns the result; `undefined` if another process has locked the database, and nothing was done. */
function attempt<T> (work: () => T): { value: T } | undefined {
  try {
    return { value: work() }
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY') return undefined
    throw error
  }
}

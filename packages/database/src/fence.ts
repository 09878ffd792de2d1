import { DriverAdapterError, isDriverAdapterError, type SqlDriverAdapter, type Transaction } from '@prisma/driver-adapter-utils'
import { setTimeout } from 'node:timers/promises'

/** A driver that is safe to share, and the same locking for statements of another connection of this process. */
export interface Fenced {
  readonly driver: SqlDriverAdapter
  /** @param isRead whether it only reads, and need not wait for the locks of other processes */
  readonly statement: <T>(work: () => Promise<T>, isRead?: boolean) => Promise<T>
}

/**
 * Makes one SQLite connection safe to share. The driver runs every statement on the same connection, so a statement
 * outside an open transaction would read its uncommitted rows, and be rolled back with it. Such statements wait for the
 * end of the transaction. While another process locks the database, they are retried for `lockTimeoutMs` milliseconds.
 */
export function fence (adapter: SqlDriverAdapter, lockTimeoutMs: number): Fenced {
  let ended: Promise<void> | undefined
  const inTurn = lockQueue(lockTimeoutMs)

  /** Calls `work` while no transaction is open: synchronously after the last check. */
  async function outside<T> (work: () => Promise<T>): Promise<T> {
    for (let other = ended; other !== undefined; other = ended) await other
    return await work()
  }

  function statement<T> (work: () => Promise<T>, isRead = false): Promise<T> {
    return inTurn(() => outside(work), isRead)
  }

  /** The driver begins without the write lock; a later statement would then fail on the lock of another process, unable to wait. */
  async function takeWriteLock (transaction: Transaction) {
    try {
      await adapter.executeScript('COMMIT')
      // async: the driver throws here before there is a promise.
      await untilUnlocked(async () => await adapter.executeScript('BEGIN IMMEDIATE'), Date.now() + lockTimeoutMs)
    } catch (error) {
      // No transaction is open; this only makes the driver ready for the next one.
      await transaction.rollback()
      throw error
    }
  }

  const driver: SqlDriverAdapter = {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: query => statement(() => adapter.queryRaw(query), isSelect(query.sql)),
    executeRaw: query => statement(() => adapter.executeRaw(query)),
    executeScript: script => statement(async () => await adapter.executeScript(script)),
    dispose: () => adapter.dispose(),
    startTransaction: isolationLevel => outside(async () => {
      const { promise, resolve } = signal()
      ended = promise
      const end = () => { ended = undefined; resolve() }
      try {
        const transaction = await adapter.startTransaction(isolationLevel)
        const { commit, rollback } = transaction
        transaction.commit = () => commit.call(transaction).finally(end)
        transaction.rollback = () => rollback.call(transaction).finally(end)
        await takeWriteLock(transaction)
        return transaction
      } catch (error) {
        end()
        throw error
      }
    })
  }
  return { driver, statement }
}

/** Whether a statement only reads. */
export function isSelect (sql: string): boolean {
  return /^\s*SELECT\b/i.test(sql)
}

function signal () {
  let resolve = () => {}
  const promise = new Promise<void>(_resolve => { resolve = _resolve })
  return { promise, resolve }
}

/**
 * Queues statements that wait for a lock: only the first one retries. Each attempt blocks the thread for a moment, so many
 * concurrent ones would leave no time for other work. Reads do not wait for writers.
 */
function lockQueue (lockTimeoutMs: number) {
  let last: Promise<void> | undefined

  return async function inTurn<T> (work: () => Promise<T>, isRead: boolean): Promise<T> {
    const deadline = Date.now() + lockTimeoutMs
    if (isRead || last === undefined) {
      const done = await work().then(value => ({ value }), rethrowOthers)
      if (done !== undefined) return done.value
    }
    const before = last
    const { promise, resolve } = signal()
    last = promise
    try {
      await before
      return await untilUnlocked(work, deadline)
    } finally {
      if (last === promise) last = undefined
      resolve()
    }
  }
}

/** Retries until the database is unlocked. @throws DriverAdapterError at the deadline, milliseconds since 1970 */
async function untilUnlocked<T> (work: () => Promise<T>, deadline: number): Promise<T> {
  while (Date.now() < deadline) {
    const done = await work().then(value => ({ value }), rethrowOthers)
    if (done !== undefined) return done.value
    await setTimeout(25)
  }
  throw new DriverAdapterError({ kind: 'SocketTimeout' })
}

/** Rethrows errors other than a locked database, which the driver calls SocketTimeout and which leaves no changes. */
function rethrowOthers (error: unknown): undefined {
  if (!isDriverAdapterError(error) || error.cause.kind !== 'SocketTimeout') throw error
}

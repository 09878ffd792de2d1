import { DriverAdapterError, isDriverAdapterError, type SqlDriverAdapter, type Transaction } from '@prisma/driver-adapter-utils'
import { setTimeout } from 'node:timers/promises'

/** A driver that is safe to share, and the same care for a statement of another connection of this process. */
export interface Fenced {
  readonly driver: SqlDriverAdapter
  /** @param isRead it need not wait for other processes' locks */
  readonly statement: <T>(work: () => Promise<T>, isRead?: boolean) => Promise<T>
}

/**
 * Makes one SQLite connection safe to share. The driver runs every statement on the same connection, so one
 * from outside an open transaction would read its uncommitted rows, and be undone with it. Here they wait
 * until it has ended. A database locked by another process is asked again for `lockTimeoutMs` milliseconds.
 */
export function fence (adapter: SqlDriverAdapter, lockTimeoutMs: number): Fenced {
  let ended: Promise<void> | undefined
  const untilUnlocked = inLine(lockTimeoutMs)

  /** Calls `work` with no transaction open. Nothing is awaited between the last look and the call. */
  async function outside<T> (work: () => Promise<T>): Promise<T> {
    for (let other = ended; other !== undefined; other = ended) await other
    return await work()
  }

  function statement<T> (work: () => Promise<T>, isRead = false): Promise<T> {
    return untilUnlocked(() => outside(work), isRead)
  }

  /** The driver begins without it; a statement inside would then meet another process's lock with no way to wait. */
  async function takeWriteLock (transaction: Transaction) {
    try {
      await adapter.executeScript('COMMIT')
      // async: the driver throws here before there is a promise.
      await untilAnswered(async () => await adapter.executeScript('BEGIN IMMEDIATE'), Date.now() + lockTimeoutMs)
    } catch (error) {
      // Nothing has begun; this only lets the driver begin another.
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

/** Says whether a statement only reads. */
export function isSelect (sql: string): boolean {
  return /^\s*SELECT\b/i.test(sql)
}

function signal () {
  let resolve = () => {}
  const promise = new Promise<void>(_resolve => { resolve = _resolve })
  return { promise, resolve }
}

/**
 * Of many that wait for a lock only the first asks, and the others stand in line: each question holds up the thread
 * for a moment, and a crowd of them would leave no time for anything else. Reads do not wait for writers.
 */
function inLine (lockTimeoutMs: number) {
  let last: Promise<void> | undefined

  return async function untilUnlocked<T> (work: () => Promise<T>, isRead: boolean): Promise<T> {
    const deadline = Date.now() + lockTimeoutMs
    if (isRead || last === undefined) {
      const done = await work().then(value => ({ value }), refuseOther)
      if (done !== undefined) return done.value
    }
    const before = last
    const { promise, resolve } = signal()
    last = promise
    try {
      await before
      return await untilAnswered(work, deadline)
    } finally {
      if (last === promise) last = undefined
      resolve()
    }
  }
}

/** Asks again until the database is unlocked. @throws DriverAdapterError at the deadline, milliseconds since 1970 */
async function untilAnswered<T> (work: () => Promise<T>, deadline: number): Promise<T> {
  while (Date.now() < deadline) {
    const done = await work().then(value => ({ value }), refuseOther)
    if (done !== undefined) return done.value
    await setTimeout(25)
  }
  throw new DriverAdapterError({ kind: 'SocketTimeout' })
}

/** Lets through only that the database is locked, which the driver calls SocketTimeout: the statement has done nothing. */
function refuseOther (error: unknown): undefined {
  if (!isDriverAdapterError(error) || error.cause.kind !== 'SocketTimeout') throw error
}

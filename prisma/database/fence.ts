import { isDriverAdapterError, type SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import { setTimeout } from 'node:timers/promises'

/**
 * Makes one SQLite connection safe to share. The driver runs every statement on the same connection, so one
 * from outside an open transaction would read its uncommitted rows, and be undone with it. Here they wait
 * until it has ended. A database locked by another process is asked again for `patience` milliseconds.
 */
export function fence (adapter: SqlDriverAdapter, patience: number): SqlDriverAdapter {
  let ended: Promise<void> | undefined

  async function turn () {
    for (let other = ended; other !== undefined; other = ended) await other
  }

  async function outside<T> (work: () => Promise<T>): Promise<T> {
    await turn()
    return await untilUnlocked(work, patience)
  }

  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: query => outside(() => adapter.queryRaw(query)),
    executeRaw: query => outside(() => adapter.executeRaw(query)),
    executeScript: script => outside(() => adapter.executeScript(script)),
    dispose: () => adapter.dispose(),
    async startTransaction (isolationLevel) {
      await turn()
      const { promise, resolve } = signal()
      ended = promise
      const end = () => { ended = undefined; resolve() }
      try {
        const transaction = await adapter.startTransaction(isolationLevel)
        const { commit, rollback } = transaction
        transaction.commit = () => commit.call(transaction).finally(end)
        transaction.rollback = () => rollback.call(transaction).finally(end)
        return transaction
      } catch (error) {
        end()
        throw error
      }
    }
  }
}

function signal () {
  let resolve = () => {}
  const promise = new Promise<void>(_resolve => { resolve = _resolve })
  return { promise, resolve }
}

async function untilUnlocked<T> (work: () => Promise<T>, patience: number): Promise<T> {
  const deadline = Date.now() + patience
  for (;;) {
    try {
      return await work()
    } catch (error) {
      // SocketTimeout is how the driver reports SQLITE_BUSY: the statement has done nothing.
      if (!isDriverAdapterError(error) || error.cause.kind !== 'SocketTimeout' || Date.now() > deadline) throw error
    }
    await setTimeout(25)
  }
}

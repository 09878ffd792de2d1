import type { Database } from 'better-sqlite3'

/** A change of the database. `isStatement`: a single statement, which is atomic by itself. */
interface Change { readonly isStatement: boolean }

/** Limits how long a group blocks the thread. */
const MAX_CHANGES_PER_COMMIT = 64

interface Waiting extends Change {
  readonly run: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

type Result = { readonly value: unknown } | { readonly error: unknown }

/**
 * Groups changes of one turn of the event loop into one commit, since each commit waits for the disk. Each change is atomic: one
 * that throws is undone alone. If the commit fails, all changes of the group are undone.
 * @param exclusive calls its argument, perhaps several times, while no other transaction is open
 */
export function groupCommits (db: Database, exclusive: <T>(work: () => T) => Promise<T>): <T>(run: () => T, change: Change) => Promise<T> {
  const waiting: Waiting[] = []
  // Created once, because each takes kilobytes. Within a transaction, another one is a savepoint.
  const transaction = db.transaction((run: () => unknown) => run())
  const together = db.transaction((group: readonly Waiting[]) => group.map(attempt))

  function runGroup (group: readonly Waiting[]): Result[] {
    const [first, ...others] = group
    // A single change needs no outer transaction.
    if (first === undefined || others.length > 0) return together.immediate(group)
    return [{ value: first.isStatement ? first.run() : transaction.immediate(first.run) }]
  }

  function attempt ({ run, isStatement }: Waiting): Result {
    try {
      return { value: isStatement ? run() : transaction(run) }
    } catch (error) {
      // A full disk rolls back the whole transaction.
      if (!db.inTransaction) throw error
      return { error }
    }
  }

  async function commit () {
    const group = waiting.splice(0, MAX_CHANGES_PER_COMMIT)
    if (waiting.length > 0) setImmediate(commit)
    try {
      const results = await exclusive(() => runGroup(group))
      group.forEach(({ resolve, reject }, index) => {
        // as: each change has a result.
        const result = results[index] as Result
        if ('error' in result) reject(result.error)
        else resolve(result.value)
      })
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  return (run, change) => new Promise((resolve, reject) => {
    // as: `run` returns the value.
    waiting.push({ ...change, run, resolve: value => resolve(value as ReturnType<typeof run>), reject })
    if (waiting.length === 1) setImmediate(commit)
  })
}

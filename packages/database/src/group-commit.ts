import type { Database } from 'better-sqlite3'

/** A change of the database. */
interface Change {
  /** Whether it is a single statement: this is atomic by itself. */
  readonly isStatement: boolean
}

/** Maximum number of changes that share a commit: a group blocks the thread. */
const MAX_CHANGES_PER_COMMIT = 64

interface Waiting extends Change {
  readonly run: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** The result of a change in a group. */
type Result = { readonly value: unknown } | { readonly error: unknown }

/**
 * Makes changes that begin in one turn of the event loop share a commit, since each commit waits for the disk. Each stays
 * atomic by itself: one that throws is undone alone. If the commit fails, nothing of the group is done.
 * @param exclusive calls its argument, once or more, while no other transaction is open
 */
export function groupCommits (db: Database, exclusive: <T>(work: () => T) => Promise<T>): <T>(run: () => T, change: Change) => Promise<T> {
  const waiting: Waiting[] = []
  // Made once: each takes kilobytes. Within a transaction, another one is a savepoint.
  const transaction = db.transaction((run: () => unknown) => run())
  const together = db.transaction((group: readonly Waiting[]) => group.map(attempt))

  function runGroup (group: readonly Waiting[]): Result[] {
    const [first, ...others] = group
    // One that is alone needs no transaction around its own.
    if (first === undefined || others.length > 0) return together.immediate(group)
    return [{ value: first.isStatement ? first.run() : transaction.immediate(first.run) }]
  }

  function attempt ({ run, isStatement }: Waiting): Result {
    try {
      return { value: isStatement ? run() : transaction(run) }
    } catch (error) {
      // A full disk ends the whole transaction: what came before is undone, too.
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
        // as: there is a result for each.
        const result = results[index] as Result
        if ('error' in result) reject(result.error)
        else resolve(result.value)
      })
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  return (run, change) => new Promise((resolve, reject) => {
    // as: its own `run` gives the value.
    waiting.push({ ...change, run, resolve: value => resolve(value as ReturnType<typeof run>), reject })
    if (waiting.length === 1) setImmediate(commit)
  })
}

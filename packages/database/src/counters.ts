import type { Clock } from './clock.js'
import { Batcher } from './batch.js'
import type { Connection } from './connection.js'
import { listStatement } from './list-statement.js'
import { columns } from './table.js'

/** A counter of rate-limiter-flexible. */
interface Counter { key: string, points: number, expire: Date }

/**
 * Opens the table of counters with the interface of Prisma's client that rate-limiter-flexible expects, but with one atomic
 * upsert instead of three statements. Concurrent counts share a statement. The library uses this machine's clock, the table the
 * database's.
 */
export function openCounters (connection: Connection, clock: Pick<Clock, 'now' | 'ahead'>) {
  const counts = batchCounts(connection, clock)
  const ahead = () => (clock.ahead() ?? 0) * 1_000
  const removals = batchRemovals(connection)
  return {
    async upsert ({ create: { expire, ...counter } }: { create: Counter }) {
      const counted = await counts.run({ ...counter, expire: new Date(expire.getTime() + ahead()) })
      return { ...counted, expire: new Date(counted.expire.getTime() - ahead()) }
    },
    async deleteMany ({ where: { key, expire } }: { where: { key: string, expire?: unknown } }) {
      // An expired counter restarts with its next count.
      return { count: expire === undefined && await removals.run(key) ? 1 : 0 }
    }
  }
}

function batchCounts (connection: Connection, clock: Pick<Clock, 'now'>): Batcher<Counter, { points: number, expire: Date }> {
  const counter = { key: 'string', points: 'int', expire: 'datetime' } as const
  const statement = listStatement(connection, {
    entry: { ...counter, now: 'datetime' },
    sql: entries => `
      WITH entry AS (SELECT * FROM ${entries})
      INSERT INTO throttle (key, points, expire) SELECT DISTINCT key, points, expire FROM entry WHERE true ORDER BY key
      ON CONFLICT (key) DO UPDATE SET
        points = CASE WHEN throttle.expire <= (SELECT MIN(now) FROM entry) THEN excluded.points ELSE throttle.points + excluded.points END,
        expire = CASE WHEN throttle.expire <= (SELECT MIN(now) FROM entry) THEN excluded.expire ELSE throttle.expire END
      RETURNING ${columns(counter, 'throttle')}`,
    row: counter
  })
  return new Batcher(async counters => {
    const now = clock.now()
    // Sorted, because two statements on the same keys in different orders would deadlock.
    const sums = addUp(counters)
    const entries = [...sums.values()].sort((one, other) => one.key < other.key ? -1 : 1).map(counter => ({ ...counter, now }))
    const found = new Map((await statement.run(entries)).map(row => [row.key, row]))
    const later = new Map([...sums].map(([key, { points }]) => [key, points]))
    // Of several counts of one key, the last gets the sum, and each earlier one a partial sum.
    return counters.map(({ key, points }) => {
      const { points: sum, expire } = found.get(key)!
      const rest = later.get(key)! - points
      later.set(key, rest)
      return { points: sum - rest, expire }
    })
  }, { concurrency: connection.concurrency })
}

/** Sums the counts of each key. */
function addUp (counters: Counter[]): Map<string, Counter> {
  const sums = new Map<string, Counter>()
  for (const counter of counters) sums.set(counter.key, { ...counter, points: counter.points + (sums.get(counter.key)?.points ?? 0) })
  return sums
}

function batchRemovals (connection: Connection): Batcher<string, boolean> {
  const statement = listStatement(connection, {
    entry: { key: 'string' },
    sql: entries => `DELETE FROM throttle WHERE key IN (SELECT entry.key FROM ${entries}) RETURNING key`,
    row: { key: 'string' }
  })
  return new Batcher(async keys => {
    const removed = new Set((await statement.run(keys.map(key => ({ key })))).map(({ key }) => key))
    return keys.map(key => removed.has(key))
  }, { concurrency: connection.concurrency, keyOf: key => key })
}

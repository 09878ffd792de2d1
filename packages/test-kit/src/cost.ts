import Sqlite from 'better-sqlite3'
import { Session } from 'node:inspector/promises'
import { setFlagsFromString } from 'node:v8'
import pg from 'pg'
import type { Test } from 'tap'

const onPostgresql = process.env.TEST_DIALECT === 'postgresql'

/** The object whose methods run all statements of the driver. */
const driver: Record<string, (...args: unknown[]) => unknown> = onPostgresql
  // as: both are patched by name.
  ? pg.Client.prototype as never
  : Object.getPrototypeOf(new Sqlite(':memory:').prepare('SELECT 1'))
const methods = onPostgresql ? ['query'] : ['all', 'get', 'run']

/** Maximum delay of a timer: 25 days. */
const MAX_DELAY_MS = 2 ** 31 - 1

/**
 * Stops time for code that is created from now on: timers never fire, and caches do not expire. So only requests do work,
 * independently of the machine's speed.
 */
export function stopTime (t: Test): void {
  const { setTimeout, setInterval } = globalThis
  const never = () => setTimeout(() => {}, MAX_DELAY_MS).unref()
  const now = performance.now()
  // Not t.intercept, which records the stack of each call, while bytes are counted.
  Object.assign(globalThis, { setTimeout: never, setInterval: never })
  Object.assign(performance, { now: () => now })
  t.teardown(() => {
    Object.assign(globalThis, { setTimeout, setInterval })
    Reflect.deleteProperty(performance, 'now')
  })
}

/** Calls `onStatement` for each statement that this process's drivers run during `work`. */
async function watch (work: () => Promise<unknown>, onStatement: (text: string, connection: object) => void): Promise<void> {
  const originals = methods.map(name => [name, driver[name]!] as const)
  for (const [name, original] of originals) {
    driver[name] = function (this: { source?: string, database?: unknown }, ...args) {
      // as: the query of a PostgreSQL client; a SQLite statement has its text.
      const [query] = args as [string | { text: string }]
      const text = this.source ?? (typeof query === 'string' ? query : query.text)
      // A PostgreSQL client has the database's name here.
      onStatement(text, typeof this.database === 'object' && this.database !== null ? this.database : this)
      return original.apply(this, args)
    }
  }
  try {
    await work()
  } finally {
    for (const [name, original] of originals) driver[name] = original
  }
}

/** Counts the statements of this process's drivers during `work`. */
export async function countStatements (work: () => Promise<unknown>): Promise<number> {
  let count = 0
  await watch(work, () => { count++ })
  return count
}

/** Counts the commits of this process's drivers during `work`, including writes without a transaction. */
export async function countCommits (work: () => Promise<unknown>): Promise<number> {
  const open = new WeakSet()
  let count = 0
  await watch(work, (text, connection) => {
    if (text.startsWith('BEGIN')) open.add(connection)
    else if (text.startsWith('COMMIT')) {
      open.delete(connection)
      count++
    } else if (!open.has(connection) && /\b(INSERT INTO|UPDATE|DELETE FROM)\b/.test(text)) count++
  })
  return count
}

/** Stops V8 from optimizing, for the rest of the process, so that byte counts are comparable: optimized code allocates less. */
export function stopOptimizing (): void {
  setFlagsFromString('--no-opt')
}

/** Counts the bytes that JavaScript allocates during `work`, estimated by V8 from samples. Call `stopOptimizing` first. */
export async function countBytes (work: () => Promise<unknown>): Promise<number> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: 1_024, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true
  })
  await work()
  const { profile: { head } } = await session.post('HeapProfiler.stopSampling')
  session.disconnect()
  const sum = ({ selfSize, children }: typeof head): number => children.reduce((total, child) => total + sum(child), selfSize)
  return sum(head)
}

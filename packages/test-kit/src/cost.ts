import Sqlite from 'better-sqlite3'
import { Session } from 'node:inspector/promises'
import { setFlagsFromString } from 'node:v8'
import pg from 'pg'
import type { Test } from 'tap'

const onPostgresql = process.env.TEST_DIALECT === 'postgresql'

/** What a driver runs statements with: of either database, the methods that all of them go through. */
const driver: Record<string, (...args: unknown[]) => unknown> = onPostgresql
  // as: both are patched by name.
  ? pg.Client.prototype as never
  : Object.getPrototypeOf(new Sqlite(':memory:').prepare('SELECT 1'))
const methods = onPostgresql ? ['query'] : ['all', 'get', 'run']

/** The longest time that a timer takes, in milliseconds: 25 days. */
const LONGEST = 2 ** 31 - 1

/**
 * Stops time for what is built from now on: no timer rings, and no memory ages. So only requests do something, however
 * slow the machine is: nothing is cleaned up, written behind the answers, or read again after a while.
 */
export function stopTime (t: Test): void {
  const { setTimeout, setInterval } = globalThis
  const never = () => setTimeout(() => {}, LONGEST).unref()
  const now = performance.now()
  // Not t.intercept, which notes each call with its stack: bytes are counted here.
  Object.assign(globalThis, { setTimeout: never, setInterval: never })
  Object.assign(performance, { now: () => now })
  t.teardown(() => {
    Object.assign(globalThis, { setTimeout, setInterval })
    Reflect.deleteProperty(performance, 'now')
  })
}

/** How many statements the drivers of this process run during `work`. */
export async function countStatements (work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const originals = methods.map(name => [name, driver[name]!] as const)
  for (const [name, original] of originals) {
    driver[name] = function (this: unknown, ...args) {
      count++
      return original.apply(this, args)
    }
  }
  try {
    await work()
  } finally {
    for (const [name, original] of originals) driver[name] = original
  }
  return count
}

/** How many transactions that write the drivers of this process commit during `work`: statements outside one are their own. */
export async function countCommits (work: () => Promise<unknown>): Promise<number> {
  const open = new WeakSet()
  let count = 0
  const originals = methods.map(name => [name, driver[name]!] as const)
  for (const [name, original] of originals) {
    // as: a statement of SQLite, or a client of PostgreSQL with a query.
    driver[name] = function (this: { source?: string, database?: unknown }, ...args) {
      const [query] = args as [string | { text: string }]
      const text = this.source ?? (typeof query === 'string' ? query : query.text)
      // Of a client of PostgreSQL, it is a name.
      const connection = typeof this.database === 'object' && this.database !== null ? this.database : this
      if (text.startsWith('BEGIN')) open.add(connection)
      else if (text.startsWith('COMMIT')) {
        open.delete(connection)
        count++
      } else if (!open.has(connection) && /\b(INSERT INTO|UPDATE|DELETE FROM)\b/.test(text)) count++
      return original.apply(this, args)
    }
  }
  try {
    await work()
  } finally {
    for (const [name, original] of originals) driver[name] = original
  }
  return count
}

/**
 * Stops V8 from optimizing, for the rest of the process. Optimized code allocates less, and how early V8 optimizes depends
 * on how busy the machine is; without it, counts of bytes can be compared.
 */
export function stopOptimizing (): void {
  setFlagsFromString('--no-opt')
}

/** How many bytes JavaScript allocates during `work`, as V8 estimates it from samples. Call `stopOptimizing` at first. */
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

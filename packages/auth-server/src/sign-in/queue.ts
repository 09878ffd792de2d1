import pLimit, { type LimitFunction } from 'p-limit'

/** Queued work: `decide` starts or rejects it. */
interface Waiting extends Rank { readonly decide: (isGranted: boolean) => void }

/** Priority: fewer failures first, then the earlier round. */
interface Rank { readonly source: string, readonly failures: number, readonly round: number }

/**
 * A fair priority queue: runs `width` calls, and queues `longest - width`. Sources without recent failures go first; sources
 * with equal failures go round-robin. A full queue drops the lowest priority, whose call returns `undefined`.
 */
export function createQueue (width: number, longest: number) {
  const waiting: Waiting[] = []
  const held = new Map<string, number>()
  let running = 0

  function hold (source: string, change: number) {
    const count = (held.get(source) ?? 0) + change
    if (count === 0) held.delete(source)
    else held.set(source, count)
  }

  function decide (chosen: Waiting, isGranted: boolean) {
    waiting.splice(waiting.indexOf(chosen), 1)
    if (isGranted) running++
    else hold(chosen.source, -1)
    chosen.decide(isGranted)
  }

  function startNext () {
    if (running < width && waiting.length > 0) decide(waiting.reduce((first, it) => compare(it, first) < 0 ? it : first), true)
  }

  return async function inTurn<T> (source: string, failures: number, work: () => Promise<T>): Promise<T | undefined> {
    const isGranted = await new Promise<boolean>(resolve => {
      waiting.push({ source, failures, round: held.get(source) ?? 0, decide: resolve })
      hold(source, 1)
      startNext()
      if (running + waiting.length > longest) decide(waiting.reduce((last, it) => compare(it, last) < 0 ? last : it), false)
    })
    if (!isGranted) return undefined
    try {
      return await work()
    } finally {
      running--
      hold(source, -1)
      startNext()
    }
  }
}

/** Below 0 if `one` goes first. Equal ranks keep the order of arrival. */
function compare (one: Rank, other: Rank): number {
  return one.failures - other.failures || one.round - other.round
}

/**
 * Limits concurrency per key: runs at most `width` calls of a key, and queues the others in order. Returns `undefined`
 * immediately when `longest` calls of the key are running or queued.
 * @param settled called with a result that was returned; the call counts as running until it resolves
 */
export function createPerKeyLimit<T> (width: number, longest: number, settled: (result: T) => Promise<unknown> = async () => {}) {
  const lines = new Map<string, LimitFunction>()

  return async function inTurn (key: string, work: () => Promise<T>): Promise<T | undefined> {
    const line = lines.get(key) ?? pLimit(width)
    if (line.activeCount + line.pendingCount === longest) return undefined
    lines.set(key, line)
    return await new Promise<T>((resolve, reject) => {
      line(async () => {
        const result = await work()
        resolve(result)
        await settled(result)
      }).finally(() => {
        if (line.activeCount === 0 && line.pendingCount === 0) lines.delete(key)
      }).catch(reject)
    })
  }
}

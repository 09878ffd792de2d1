import pLimit, { type LimitFunction } from 'p-limit'

/**
 * Limits concurrency per key: runs at most `width` calls of a key, and queues the others in order. Returns `undefined`
 * immediately when `longest` calls of the key are running or queued.
 */
export function createPerKeyLimit (width: number, longest: number) {
  const lines = new Map<string, LimitFunction>()

  return async function inTurn<T> (key: string, work: () => Promise<T>): Promise<T | undefined> {
    const line = lines.get(key) ?? pLimit(width)
    if (line.activeCount + line.pendingCount === longest) return undefined
    lines.set(key, line)
    try {
      return await line(work)
    } finally {
      if (line.activeCount === 0 && line.pendingCount === 0) lines.delete(key)
    }
  }
}

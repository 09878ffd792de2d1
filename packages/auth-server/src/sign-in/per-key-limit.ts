import pLimit, { type LimitFunction } from 'p-limit'

/**
 * Makes a function that does at most `width` things at once under one key, and the others in turn. Gives `undefined`
 * at once, and does nothing, where `longest` of the key are being done or wait.
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

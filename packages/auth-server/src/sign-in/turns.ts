import pLimit, { type LimitFunction } from 'p-limit'

/** Makes a function that does at most `width` things at once under one key, and the others in turn. */
export function createTurns (width: number) {
  const lines = new Map<string, LimitFunction>()

  return async function inTurn<T> (key: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(key) ?? pLimit(width)
    lines.set(key, line)
    try {
      return await line(work)
    } finally {
      if (line.activeCount === 0 && line.pendingCount === 0) lines.delete(key)
    }
  }
}

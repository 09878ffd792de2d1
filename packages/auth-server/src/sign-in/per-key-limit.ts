import pLimit, { type LimitFunction } from 'p-limit'

/**
 * Limits concurrency per key: runs at most `width` calls of a key, and queues the others in order. Returns `undefined`
 * immediately when `longest` calls of the key are running or queued.
 * @param settled what a call waits for after its result was returned: until then it is still running
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

import { requestTimeout } from '../../problems/request.js'

/** Bytes that a client must send within {@link WINDOW_MS}: 9 kbit/s, less than the slowest mobile networks carry. */
export const MIN_BYTES = 65_536
export const WINDOW_MS = 60_000

/**
 * Requires a minimum rate of a body, as a token bucket: waiting for bytes spends time, and bytes earn it. Processing time does
 * not count.
 * @throws ProblemError `request-timeout`
 */
export function atMinimumRate (body: AsyncIterable<Buffer>, now = () => performance.now()): AsyncIterable<Buffer> {
  return {
    [Symbol.asyncIterator]: () => {
      const chunks = body[Symbol.asyncIterator]()
      let leftMs = WINDOW_MS
      return {
        async next () {
          const start = now()
          const chunk = await within(leftMs, chunks.next())
          const earnedMs = chunk.done === true ? 0 : chunk.value.length * WINDOW_MS / MIN_BYTES
          leftMs = Math.min(WINDOW_MS, leftMs - (now() - start) + earnedMs)
          return chunk
        },
        // Not called after a timeout, when it would wait for the bytes.
        return: async () => await chunks.return?.() ?? { done: true, value: undefined }
      }
    }
  }
}

async function within<T> (ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((resolve, reject) => {
    timer = setTimeout(() => {
      reject(requestTimeout(`The file arrives too slowly. Send at least ${MIN_BYTES} bytes a minute.`, {
        headers: { Connection: 'close' }
      }))
    }, ms)
  })
  return await Promise.race([work, timeout]).finally(() => { clearTimeout(timer) })
}

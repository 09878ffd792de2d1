import { setImmediate } from 'node:timers/promises'

/** Bytes of a slice, at most: records that fail cost about 10 µs for each of their bytes, or less. */
export const MAX_SLICE = 2_048

/** How long work on slices goes on without a turn of the event loop, in milliseconds. */
const TURN_MS = 10

/** Passes on a body in small slices. Reading records only awaits what is there, so this gives other requests their turn. */
export async function * readSlices (body: AsyncIterable<Buffer>, now = () => performance.now()): AsyncGenerator<Buffer> {
  let begin = now()
  for await (const bytes of body) {
    for (let start = 0; start < bytes.length; start += MAX_SLICE) {
      yield bytes.subarray(start, start + MAX_SLICE)
      if (now() - begin < TURN_MS) continue
      await setImmediate()
      begin = now()
    }
  }
}

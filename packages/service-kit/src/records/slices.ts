import { setImmediate } from 'node:timers/promises'

/** Maximum bytes of a slice. Invalid records take up to 10 µs a byte. */
export const MAX_SLICE = 2_048

/** How long to process slices before other requests get their turn, in milliseconds. */
const TURN_MS = 10

/** Passes on a body in slices, and yields to the event loop: reading records awaits nothing else while data is there. */
export async function * readSlices (body: AsyncIterable<Buffer> | Iterable<Buffer>, now = () => performance.now()): AsyncGenerator<Buffer> {
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

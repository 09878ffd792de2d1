import type { CustomerEvent } from './messages.js'

/** A stream is taken for broken after this silence, in milliseconds: the service sends a heartbeat every 15 seconds. */
const SILENCE_MS = 45_000

/**
 * Reads the events of a `text/event-stream` until it ends or breaks, each with its position; first the position where it
 * begins. @throws the reason of the signal
 */
export async function * readEvents (
  body: ReadableStream<Uint8Array>, signal: AbortSignal | undefined
): AsyncGenerator<{ id: string, event: CustomerEvent | undefined }, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const timer = setTimeout(() => { reader.cancel().catch(() => {}) }, SILENCE_MS)
      // A broken stream has ended: the next one continues.
      const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true })).finally(() => clearTimeout(timer))
      signal?.throwIfAborted()
      if (done) return
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
      // !: there is always a last part, the beginning of the next block.
      text = blocks.pop()!
      for (const block of blocks) {
        const field = (name: string) => block.split('\n').find(line => line.startsWith(`${name}: `))?.slice(name.length + 2)
        const [id, data] = [field('id'), field('data')]
        // as: the service sends such events.
        if (id !== undefined) yield { id, event: data === undefined ? undefined : JSON.parse(data) as CustomerEvent }
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

import { assertLength, readChunks } from './body.js'
import type { CustomerEvent } from './messages.js'
import { CustomerNetworkError } from './problem.js'

/** Silence after which a stream counts as broken: the service sends a heartbeat every 15 seconds. */
const SILENCE_MS = 45_000
/** Maximum length of an event: the service's have some hundred characters. */
const MAX_LENGTH = 2 ** 16

const LINE_END = /\r\n|\n|\r/
const EVENT_END = /(?:\r\n|\n|\r(?!\n)){2}/

/**
 * Reads the events of a `text/event-stream` until it ends or breaks, each with its position, after the start position.
 * @throws CustomerNetworkError if it is not from the service, or the signal's reason
 */
export async function * readEvents (
  body: ReadableStream<Uint8Array>, signal: AbortSignal | undefined
): AsyncGenerator<{ id: string | undefined, event: CustomerEvent | undefined }, void, undefined> {
  let text = ''
  try {
    for await (const chunk of readChunks(body, signal, SILENCE_MS)) {
      const blocks = (text + chunk).split(EVENT_END)
      // !: the last part is the start of the next block.
      text = assertLength(blocks.pop()!, MAX_LENGTH)
      for (const block of blocks) yield parseEvent(block)
    }
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof SyntaxError) throw new CustomerNetworkError(`Unusable event: ${cause.message}`, 1, cause)
    // Otherwise the stream broke, and the next one continues.
  }
}

function parseEvent (block: string) {
  const readField = (name: string) =>
    block.split(LINE_END).filter(line => line.startsWith(`${name}:`)).map(line => line.slice(name.length + 1).replace(/^ /, ''))
  const data = readField('data').join('\n')
  // as: the service's events.
  return { id: readField('id').at(-1), event: data === '' ? undefined : JSON.parse(data) as CustomerEvent }
}

import { destination } from 'pino'

/** Size of a block, and how long a line waits for its block. */
const [BLOCK_BYTES, MAX_WAIT_MS] = [8_192, 100]

/** Size of the buffer while standard output cannot be written, as on a full disk. Later lines are dropped. */
const MAX_WAITING_BYTES = 1_048_576

/**
 * Writes log lines to standard output in blocks. A fatal line and the process's exit flush the buffer. A log that cannot be
 * written does not stop the process: it buffers lines, then drops them, and logs how many when it can.
 * @param service name of the service, for that line
 */
export function logStream (service: string): ReturnType<typeof destination> {
  const stream = destination({ dest: 1, sync: true, minLength: BLOCK_BYTES, periodicFlush: MAX_WAIT_MS, maxLength: MAX_WAITING_BYTES })
  let dropped = 0
  stream.on('error', () => {})
  stream.on('drop', () => { dropped++ })
  stream.on('drain', () => {
    if (dropped === 0) return
    const msg = 'the log could not be written; lines were dropped'
    stream.write(`${JSON.stringify({ level: 40, time: Date.now(), service, dropped, msg })}\n`)
    dropped = 0
  })
  // The library's own retries a failing write forever. Two rounds write the whole buffer, if no write fails.
  stream.flushSync = () => { for (let round = 0; round < 2; round++) stream.flush() }
  process.once('exit', () => stream.flushSync())
  return stream
}

import { destination } from 'pino'

/** Block size in bytes, and how long a line waits for its block, in milliseconds. */
const [BLOCK_BYTES, MAX_WAIT_MS] = [8_192, 100]

/** Most bytes that wait while standard output cannot be written, as on a full disk. Later lines are dropped. */
const MAX_WAITING_BYTES = 1_048_576

/**
 * Buffers log lines and writes them to standard output in blocks, after 100 ms at the latest. A fatal line and the exit
 * of the process flush the buffer. A log that cannot be written does not stop the process: lines wait, then are dropped and
 * counted in a line when it can be written again.
 * @param service name of the service, for that line
 */
export function logStream (service: string): ReturnType<typeof destination> {
  const stream = destination({ dest: 1, sync: true, minLength: BLOCK_BYTES, periodicFlush: MAX_WAIT_MS, maxLength: MAX_WAITING_BYTES })
  let dropped = 0
  stream.on('error', () => {})
  stream.on('drop', () => { dropped++ })
  stream.on('drain', () => {
    if (dropped === 0) return
    stream.write(`${JSON.stringify({ level: 40, time: Date.now(), service, dropped, msg: 'the log could not be written; lines were dropped' })}\n`)
    dropped = 0
  })
  // The library's own repeats a write that fails for ever. Two of these write all that can wait if none fails.
  stream.flushSync = () => { for (let round = 0; round < 2; round++) stream.flush() }
  process.once('exit', () => stream.flushSync())
  return stream
}

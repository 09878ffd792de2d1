import { destination } from 'pino'

/**
 * Buffers log lines and writes them to standard output in blocks, after 100 ms at the latest. A fatal line and the exit
 * of the process flush the buffer.
 */
export function logStream (): ReturnType<typeof destination> {
  const stream = destination({ dest: 1, sync: true, minLength: 8_192, periodicFlush: 100 })
  process.once('exit', () => stream.flushSync())
  return stream
}

import { destination } from 'pino'

/**
 * Where log lines go: standard output, in blocks, at the latest after a tenth of a second. A fatal line and the end of
 * the process write what is left.
 */
export function logStream (): ReturnType<typeof destination> {
  const stream = destination({ dest: 1, sync: true, minLength: 8_192, periodicFlush: 100 })
  process.once('exit', () => stream.flushSync())
  return stream
}

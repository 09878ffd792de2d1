import { setFlagsFromString } from 'node:v8'
import { whyTooFewFiles } from './open-files.js'

/**
 * Prepares the process of a service, before its modules are loaded: loading them opens many files at once. Ends the process
 * if it may open too few.
 */
export function prepareProcess (): void {
  const why = whyTooFewFiles()
  if (why !== undefined) {
    process.stderr.write(`${why}\n`)
    process.exit(1)
  }
  // By default, V8 grows the heap to four times what is in use before it collects garbage. Set here, since as an option of node it
  // would keep a version that does not know it from starting.
  setFlagsFromString('--heap-growing-percent=50')
}

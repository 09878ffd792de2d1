import { setFlagsFromString } from 'node:v8'
import { whyTooFewFiles } from './open-files.js'

/** Prepares a service's process. Call it before loading the modules, which opens many files: exits if the limit is too low. */
export function prepareProcess (): void {
  const why = whyTooFewFiles()
  if (why !== undefined) {
    process.stderr.write(`${why}\n`)
    process.exit(1)
  }
  // By default, V8 lets the heap grow to four times the memory in use. Set here, because versions of node that do not know the
  // option would not start with it.
  setFlagsFromString('--heap-growing-percent=50')
}

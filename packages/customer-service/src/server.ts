import { whyTooFewFiles } from '@frontdesk/service-kit/open-files'
import { setFlagsFromString } from 'node:v8'

const why = whyTooFewFiles()
if (why !== undefined) {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
// By default, V8 lets the heap grow to four times what is in use before it collects, some 280 MB during an import. Set here,
// since as an option of node it would keep a version that does not know it from starting.
setFlagsFromString('--heap-growing-percent=50')
// Not before: to load the modules is to open them, many at once.
await import('./serve.js')

import { whyTooFewFiles } from '@frontdesk/service-kit/open-files'

const why = whyTooFewFiles()
if (why !== undefined) {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
// Not before: to load the modules is to open them, many at once.
await import('./serve.js')

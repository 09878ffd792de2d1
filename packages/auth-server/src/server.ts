import { prepareProcess } from '@frontdesk/service-kit/prepare-process'

prepareProcess()
// Not before: to load the modules is to open them, many at once.
await import('./serve.js')

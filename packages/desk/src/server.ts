import { prepareProcess } from '@frontdesk/service-kit/prepare-process'

prepareProcess()
// Imported now: loading the modules opens many files at once.
await import('./serve.js')

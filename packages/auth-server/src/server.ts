import { prepareProcess } from '@frontdesk/service-kit/prepare-process'

prepareProcess()
// Loaded afterwards: loading the modules opens many files concurrently.
await import('./serve.js')

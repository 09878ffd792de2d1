import { main } from '@frontdesk/service-kit/cli/main'
import { get, listCommand, removed, restore, set } from './customers.js'
import { db } from './db.js'
import { demo } from './demo.js'
import { doctor } from './doctor.js'
import { duplicates, merge } from './duplicates.js'
import { exportCommand, importCommand } from './files.js'
import { operations, undo } from './operations.js'
import { serve } from './serve.js'
import { login, logout, token } from './sign-in.js'
import { webhook } from './webhook.js'

await main({
  name: 'frontdesk-customer',
  says: 'Run customer-service, check its settings, copy or back up its database, sign in to call it, read and change customers, ' +
    'import and export files, find and merge duplicates, undo changes.',
  more: 'Exit codes: 0 done, 1 refused, 2 wrong usage; of doctor, 3 warnings only.',
  packageFile: new URL('../../../package.json', import.meta.url),
  commands: [
    db, demo, doctor, duplicates, exportCommand, get, importCommand, listCommand, merge, operations, removed, restore, serve, set, undo,
    login, logout, token, webhook
  ]
})

import { noun } from '@frontdesk/service-kit/cli/command'
import { main } from '@frontdesk/service-kit/cli/main'
import { applyClients } from './apply/command.js'
import { audit } from './audit.js'
import { adoptClient } from './client/adopt.js'
import { addClient } from './client/add.js'
import { disableClient, enableClient } from './client/disable.js'
import { setImplicit } from './client/implicit.js'
import { listClients } from './client/list.js'
import { listPeople } from './client/people.js'
import { removeClient } from './client/remove.js'
import { revokeClient } from './client/revoke.js'
import { showClient } from './client/show.js'
import { updateClient } from './client/update.js'
import { addClientSecret } from './client/secret/add.js'
import { listClientSecrets } from './client/secret/list.js'
import { removeClientSecret } from './client/secret/remove.js'
import { db } from './db.js'
import { doctor } from './doctor.js'
import { explain } from './explain.js'
import { exportClients } from './export.js'
import { keys } from './keys.js'
import { registration } from './registration.js'
import { report } from './report.js'
import { role } from './role.js'
import { serve } from './serve.js'
import { user } from './user.js'

const clientCommands = [
  addClient, listClients, showClient, updateClient, disableClient, enableClient, setImplicit, listPeople, revokeClient, adoptClient,
  removeClient
]
const secretCommands = [addClientSecret, listClientSecrets, removeClientSecret]

await main({
  name: 'frontdesk-auth',
  says: 'Run auth-server, and manage its apps, people and signing keys, whether or not it is running.',
  more: `The database is DATABASE_URL; if that is not set, auth.db in DATA_DIR (./data).
Exit codes: 0 done, 1 refused, 2 wrong usage; of doctor, 3 warnings only.`,
  packageFile: new URL('../../../package.json', import.meta.url),
  explain,
  commands: [
    noun('client', 'Manage apps that can request access tokens.', [
      ...clientCommands,
      noun('secret', 'Manage client secrets.', secretCommands)
    ]),
    registration,
    user,
    role,
    keys,
    audit,
    report,
    applyClients,
    exportClients,
    db,
    doctor,
    serve
  ]
})

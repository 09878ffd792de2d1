import { noun } from '@frontdesk/service-kit/cli/command'
import { main } from '@frontdesk/service-kit/cli/main'
import { applyClients } from './apply/command.js'
import { listAudit } from './audit/list.js'
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
import { role } from './role.js'
import { serve } from './serve.js'
import { addUser } from './user/add.js'
import { disableUser, enableUser } from './user/disable.js'
import { inviteUser } from './user/invite.js'
import { listUsers } from './user/list.js'
import { removeUser } from './user/remove.js'
import { renameUser } from './user/rename.js'
import { makeResetLink } from './user/reset-link.js'
import { showUser } from './user/show.js'
import { updateUser } from './user/update.js'
import { listRegistrationTokens } from './registration/list.js'
import { removeRegistrationToken } from './registration/remove.js'
import { addRegistrationToken } from './registration/token.js'
import { reportImplicit } from './report/implicit.js'
import { setPassword } from './user/passwd.js'
import { revokeApp } from './user/revoke.js'
import { signOutUser } from './user/sign-out.js'

const clientCommands = [
  addClient, listClients, showClient, updateClient, disableClient, enableClient, setImplicit, listPeople, revokeClient, adoptClient,
  removeClient
]
const secretCommands = [addClientSecret, listClientSecrets, removeClientSecret]
const registrationCommands = [addRegistrationToken, listRegistrationTokens, removeRegistrationToken]
const userCommands = [
  addUser, inviteUser, listUsers, showUser, updateUser, renameUser, setPassword, makeResetLink,
  signOutUser, revokeApp, disableUser, enableUser, removeUser
]
const auditCommands = [listAudit]
const reportCommands = [reportImplicit]

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
    noun('registration', 'Manage the tokens with which apps register themselves.', registrationCommands),
    noun('user', 'Manage people who can sign in.', userCommands),
    role,
    keys,
    noun('audit', 'Read the audit trail: sign-ins, refusals, grants, administration.', auditCommands),
    noun('report', 'Report what apps do.', reportCommands),
    applyClients,
    exportClients,
    db,
    doctor,
    serve
  ]
})

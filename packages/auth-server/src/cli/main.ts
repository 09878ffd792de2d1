import { main } from '@frontdesk/service-kit/cli/main'
import { setIssuer } from '../config.js'
import { applyClients } from './apply.js'
import { audit } from './audit.js'
import { client } from './client.js'
import { db } from './db.js'
import { doctor } from './doctor.js'
import { explain } from './explain.js'
import { exportClients } from './export.js'
import { keys } from './keys.js'
import { login, logout } from './login.js'
import { mail } from './mail.js'
import { registration } from './registration.js'
import { report } from './report.js'
import { AdminApi } from './remote/api.js'
import { role } from './role.js'
import { serve } from './serve.js'
import { settings } from './settings.js'
import { signUp } from './sign-up.js'
import { user } from './user.js'

/** Finds the API of a server. What commands print names that server. */
function connect (server: string): AdminApi {
  const api = new AdminApi(server)
  setIssuer(api.server)
  return api
}

await main({
  name: 'frontdesk-auth',
  says: 'Run auth-server, and manage its clients, users and signing keys, whether or not it is running.',
  more: `The database is DATABASE_URL; if that is not set, auth.db in DATA_DIR (./data).
With --server, commands call the administration API of that server instead.
Exit codes: 0 done, 1 refused, 2 wrong usage; of doctor, 3 warnings only.`,
  packageFile: new URL('../../../package.json', import.meta.url),
  explain,
  remote: {
    says: 'run the command through the administration API of a server, after "login"', env: 'FRONTDESK_SERVER', connect
  },
  commands: [
    client,
    registration,
    user,
    signUp,
    role,
    keys,
    audit,
    mail,
    settings,
    report,
    applyClients,
    exportClients,
    db,
    doctor,
    serve,
    login,
    logout
  ]
})

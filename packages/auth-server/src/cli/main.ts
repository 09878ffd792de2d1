import { Command, CommanderError } from 'commander'
import { readFileSync } from 'node:fs'
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
import { dbCommands } from './db.js'
import { doctor } from './doctor/command.js'
import { exportClients } from './export.js'
import { completion } from '@frontdesk/service-kit/completion'
import { helpStyle } from '@frontdesk/service-kit/terminal/help'
import { listKeys } from './keys/list.js'
import { retireKey } from './keys/retire.js'
import { rotateKeys } from './keys/rotate.js'
import { CommandError } from './command-error.js'
import { addRole } from './role/add.js'
import { changeRole } from './role/change.js'
import { listRoles } from './role/list.js'
import { removeRole } from './role/remove.js'
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

/** Every command, by group: add a file, and a name here. */
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
const roleCommands = [addRole, listRoles, changeRole, removeRole]
const keysCommands = [listKeys, rotateKeys, retireKey]
const auditCommands = [listAudit]
const reportCommands = [reportImplicit]

// as: the file is ours.
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }

const program = new Command('frontdesk-auth')
  .description('Run auth-server, and manage its apps, people and signing keys, whether or not it is running.')
  .version(version)
  .showHelpAfterError('Add --help to see the usage.')
  .addHelpText('after', `
The database is DATABASE_URL; if that is not set, auth.db in DATA_DIR (./data).
Exit codes: 0 done, 1 refused, 2 wrong usage; of doctor, 3 warnings only.`)
  .configureHelp(helpStyle)
  .exitOverride()
const client = program.command('client').description('Manage apps that can request access tokens.')
for (const define of clientCommands) define(client)
const secret = client.command('secret').description('Manage client secrets.')
for (const define of secretCommands) define(secret)
const registration = program.command('registration').description('Manage the tokens with which apps register themselves.')
for (const define of registrationCommands) define(registration)
const user = program.command('user').description('Manage people who can sign in.')
for (const define of userCommands) define(user)
const role = program.command('role').description('Manage roles: which people can grant which scopes.')
for (const define of roleCommands) define(role)
const keys = program.command('keys').description('Manage the keys that sign access tokens and ID tokens.')
for (const define of keysCommands) define(keys)
const audit = program.command('audit').description('Read the audit trail: sign-ins, refusals, grants, administration.')
for (const define of auditCommands) define(audit)
const report = program.command('report').description('Report what apps do.')
for (const define of reportCommands) define(report)
applyClients(program)
exportClients(program)
dbCommands(program)
doctor(program)
serve(program)
completion(program)

// `head` closes the pipe early: not an error.
process.stdout.on('error', error => { if (!('code' in error && error.code === 'EPIPE')) throw error })

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = printError(error)
}

/** Prints the error and returns the exit code. */
function printError (error: unknown): number {
  // Commander has printed its own message, or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof CommandError) console.error(error.message)
  else console.error(`frontdesk-auth failed: ${error instanceof Error ? error.message.trim() : error}`)
  return 1
}

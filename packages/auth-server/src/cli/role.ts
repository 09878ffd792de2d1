import { command, noun } from '@frontdesk/service-kit/cli/command'
import { confirm } from '@frontdesk/service-kit/cli/confirm'
import { UsageError } from '@frontdesk/service-kit/cli/errors'
import { YES } from '@frontdesk/service-kit/cli/option'
import { list } from '@frontdesk/service-kit/cli/table'
import { quote } from '@frontdesk/service-kit/showable'
import { countOf, numbered } from '../admin/counts.js'
import { toEdit, type ListEdit } from '../admin/list-edit.js'
import {
  addRole, changeRole, listRoles, pickRole, readRole, removeRole, type ChangedRole, type ListedRole
} from '../admin/roles.js'
import type { Role } from '../stores/access/roles.js'
import { path } from './remote/api.js'
import { listRemoteRoles } from './remote/roles.js'
import { makeStores, readStores, withStores } from './with-stores.js'

const add = command('add <name>', {
  says: 'Add a role. Only users with it can grant its scopes to clients.',
  options: { '--scopes <scopes>': { says: 'scopes that only users with this role can grant, space-separated', required: true } },
  async run ({ name, scopes }) {
    // Before a database is created.
    readRole(name, scopes)
    return await makeStores(async (stores, by) => await addRole(stores, { name, scopes }, by))
  },
  remote: async (api, { name, scopes }) => await api.post<Role>('/roles', { name, scopes }),
  text: ({ name, scopes }) => `Added the role ${quote(name)}. Only users with it can grant: ${scopes.join(' ')}
To give it to someone: frontdesk-auth user update <username> --add-role ${name}`
})

const all = command('list', {
  says: 'List the roles with their scopes, the built-in ones first. Everyone can grant scopes that no role has.',
  run: async () => await readStores(listRoles),
  remote: async api => await listRemoteRoles(api),
  text: roles => list(['ROLE', 'USERS', 'SCOPES'], roles.map(({ name, people, scopes }) => [name, countOf(people), scopes.join(' ')]))
})

const change = command('change <name>', {
  says: 'Change the scopes of a role. Clients follow with their next tokens.',
  options: {
    '--scopes <scopes>': 'all scopes that only users with this role can grant, space-separated',
    '--add-scope <scope>': { says: 'add a scope; repeatable', repeatable: true, conflicts: 'scopes' },
    '--remove-scope <scope>': { says: 'remove a scope; repeatable', repeatable: true, conflicts: 'scopes' }
  },
  async run ({ name, scopes, addScope, removeScope }) {
    const change = scopes ?? editOf(addScope, removeScope)
    return await withStores(async (stores, by) => await changeRole(stores, name, change, by))
  },
  async remote (api, { name, scopes, addScope, removeScope }) {
    if (scopes === undefined) editOf(addScope, removeScope)
    return await api.patch<ChangedRole>(path`/roles/${name}`, { scopes, addScopes: addScope, removeScopes: removeScope })
  },
  text: role => `Changed the role ${quote(role.name)}: ${role.scopes.join(' ')}${warnOfFree(role)}`,
  fields: ({ name, scopes }) => ({ name, scopes })
})

const remove = command('remove <name>', {
  says: 'Remove a role. Everyone can then grant scopes that no other role has.',
  options: YES,
  run: async ({ name, ...sure }) => await withStores(async (stores, by) => {
    const role = pickRole(await listRoles(stores), name)
    await confirmRemoval(role, sure)
    return { ...role, ...await removeRole(stores, name, by) }
  }),
  async remote (api, { name, ...sure }) {
    const role = pickRole(await listRemoteRoles(api), name)
    await confirmRemoval(role, sure)
    return { ...role, ...await api.delete<ChangedRole>(path`/roles/${name}`) }
  },
  text: role => `Removed the role ${quote(role.name)}.${warnOfFree(role)}`,
  fields: ({ free, ...role }) => role
})

/** Commands for roles. */
export const role = noun('role', 'Manage roles: which users can grant which scopes.', [add, all, change, remove])

/** @throws UsageError without an edit */
function editOf (add: readonly string[] | undefined, remove: readonly string[] | undefined): ListEdit {
  const edit = toEdit(add, remove)
  if (edit === undefined) throw new UsageError("name at least one of '--scopes', '--add-scope' and '--remove-scope'")
  return edit
}

async function confirmRemoval ({ name, scopes, people }: ListedRole, sure: { readonly yes?: true }): Promise<void> {
  const users = `${numbered(people, 'user')} ${people === 1 ? 'has' : 'have'}`
  await confirm(`Remove the role ${quote(name)} (${scopes.join(' ')}), which ${users}?`, sure)
}

function warnOfFree ({ free }: ChangedRole): string {
  return free.length === 0 ? '' : `\nNo role has ${free.join(' ')} now: everyone can grant it.`
}

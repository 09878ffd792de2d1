import { command, noun } from '@frontdesk/service-kit/cli/command'
import { confirm } from '@frontdesk/service-kit/cli/confirm'
import { UsageError } from '@frontdesk/service-kit/cli/errors'
import { YES } from '@frontdesk/service-kit/cli/option'
import { list } from '@frontdesk/service-kit/cli/table'
import { quote } from '@frontdesk/service-kit/showable'
import { countOf, numbered } from '../admin/counts.js'
import { toEdit } from '../admin/list-edit.js'
import {
  addRole, changeRole, listRoles, pickRole, readRole, removeRole, type ChangedRole, type ListedRole, type RoleChange
} from '../admin/roles.js'
import { REQUIRED_ACRS, requiredAcrOf } from '../oauth/acr.js'
import type { Role } from '../stores/access/roles.js'
import { path } from './remote/api.js'
import { listRemoteRoles } from './remote/roles.js'
import { makeStores, readStores, withStores } from './with-stores.js'

const ACR = {
  '--required-acr <acr>': {
    says: 'minimum sign-in level of its users: a second factor (mfa) or a passkey (phr)', choices: REQUIRED_ACRS
  }
} as const

const add = command('add <name>', {
  says: 'Add a role. Only users with it can grant its scopes to clients.',
  options: { '--scopes <scopes>': { says: 'scopes that only users with this role can grant, space-separated', required: true }, ...ACR },
  async run ({ name, scopes, requiredAcr }) {
    // Before a database is created.
    readRole(name, scopes)
    return await makeStores(async (stores, by) => await addRole(stores, { name, scopes, requiredAcr }, by))
  },
  remote: async (api, { name, scopes, requiredAcr }) => await api.post<Role>('/roles', { name, scopes, requiredAcr }),
  text: ({ name, scopes, requiredAcr }) =>
    `Added the role ${quote(name)}. Only users with it can grant: ${scopes.join(' ')}${aboutAcr(requiredAcr)}
To give it to someone: frontdesk-auth user update <username> --add-role ${name}`
})

const all = command('list', {
  says: 'List the roles with their scopes, the built-in ones first. Everyone can grant scopes that no role has.',
  run: async () => await readStores(listRoles),
  remote: async api => await listRemoteRoles(api),
  text: roles => list(['ROLE', 'USERS', 'REQUIRED ACR', 'SCOPES'], roles.map(({ name, people, requiredAcr, scopes }) =>
    [name, countOf(people), requiredAcr ?? '-', scopes.join(' ')]))
})

const change = command('change <name>', {
  says: 'Change the scopes of a role, or how its users must sign in. Clients follow with their next tokens, users with their next sign-in.',
  options: {
    '--scopes <scopes>': 'all scopes that only users with this role can grant, space-separated',
    '--add-scope <scope>': { says: 'add a scope; repeatable', repeatable: true, conflicts: 'scopes' },
    '--remove-scope <scope>': { says: 'remove a scope; repeatable', repeatable: true, conflicts: 'scopes' },
    ...ACR,
    '--no-required-acr': 'its users can sign in with a password alone'
  },
  async run ({ name, ...options }) {
    const change = changeOf(options)
    return await withStores(async (stores, by) => await changeRole(stores, name, change, by))
  },
  async remote (api, { name, addScope: addScopes, removeScope: removeScopes, ...options }) {
    const { requiredAcr } = changeOf({ ...options, addScope: addScopes, removeScope: removeScopes })
    return await api.patch<ChangedRole>(path`/roles/${name}`, { scopes: options.scopes, addScopes, removeScopes, requiredAcr })
  },
  text: role => `Changed the role ${quote(role.name)}: ${role.scopes.join(' ')}${aboutAcr(role.requiredAcr)}${warnOfFree(role)}`,
  fields: ({ name, scopes, requiredAcr }) => ({ name, scopes, requiredAcr })
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

interface ChangeOptions {
  readonly scopes?: string
  readonly addScope?: readonly string[] | undefined
  readonly removeScope?: readonly string[] | undefined
  readonly requiredAcr?: string | false
}

/** @throws UsageError without a change */
function changeOf ({ scopes, addScope, removeScope, requiredAcr }: ChangeOptions): RoleChange {
  const change = {
    scopes: scopes ?? toEdit(addScope, removeScope),
    requiredAcr: requiredAcr === undefined ? undefined : requiredAcrOf(requiredAcr || null)
  }
  if (change.scopes !== undefined || change.requiredAcr !== undefined) return change
  throw new UsageError("name at least one of '--scopes', '--add-scope', '--remove-scope', '--required-acr' and '--no-required-acr'")
}

function aboutAcr (requiredAcr: string | null): string {
  return requiredAcr === null ? '' : `\nIts users need at least the sign-in level ${requiredAcr}.`
}

async function confirmRemoval ({ name, scopes, people }: ListedRole, sure: { readonly yes?: true }): Promise<void> {
  const users = `${numbered(people, 'user')} ${people === 1 ? 'has' : 'have'}`
  await confirm(`Remove the role ${quote(name)} (${scopes.join(' ')}), which ${users}?`, sure)
}

function warnOfFree ({ free }: ChangedRole): string {
  return free.length === 0 ? '' : `\nNo role has ${free.join(' ')} now: everyone can grant it.`
}

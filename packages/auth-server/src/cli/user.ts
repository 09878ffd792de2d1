import { command, noun } from '@frontdesk/service-kit/cli/command'
import { confirm } from '@frontdesk/service-kit/cli/confirm'
import { UsageError } from '@frontdesk/service-kit/cli/errors'
import { YES } from '@frontdesk/service-kit/cli/option'
import { table } from '@frontdesk/service-kit/cli/table'
import { quote } from '@frontdesk/service-kit/showable'
import type { listFactors } from '../admin/factors.js'
import { edited, toEdit } from '../admin/list-edit.js'
import { revokeAccess, signOutUser } from '../admin/sessions.js'
import {
  detailsOf, findAll, findUser, listUsers, summaryOf, type UserDetails, type UserSummary
} from '../admin/user-details.js'
import { removeUser, renameUser, setUserDisabled, updateUser } from '../admin/users.js'
import { loadConfig } from '../config.js'
import { attributes } from '../languages/en/attributes.js'
import { textAttributes, userFields } from '../oauth/user-fields.js'
import { ATTRIBUTES, attributesOf } from './attributes.js'
import { describeState } from './print.js'
import { accessCommands } from './user-access.js'
import { path, type Items } from './remote/api.js'
import { findRemoteUser, listRemoteUsers, onRemoteUser } from './remote/users.js'
import { describeFactors, describeUpstream, factorCommands } from './user-factors.js'
import { importCommand } from './user-import.js'
import { PAGE, pageNote, pageText } from './user-page.js'
import { passwordCommands } from './user-password.js'
import { readStores, withStores } from './with-stores.js'

/** An app with access to the account of a user. */
interface App { readonly client: { readonly id: string } }

const all = command('list', {
  says: 'List or find users. The id is the "sub" of their access tokens.',
  options: PAGE,
  json: 'the users with all fields except the password',
  more: 'Example:\n  frontdesk-auth user list --search example.com',
  run: async query => await readStores(async stores => await listUsers(stores, query)),
  remote: listRemoteUsers,
  text: (page, query) => pageText(page, query, 'No users are registered.'),
  fields: ({ users }) => users,
  note: (page, query) => pageNote(page, query, 'frontdesk-auth user list')
})

const show = command('show <username>', {
  says: 'Show a user with their attributes, their sessions and the clients that have access.',
  run: async ({ username }) => await readStores(async stores => await findAll(stores, username)),
  async remote (api, { username }) {
    const { id } = await findRemoteUser(api, username)
    const [user, sessions, apps, { trustedBrowsers, ...factors }] = await Promise.all([
      api.get<UserDetails>(path`/users/${id}`),
      api.get<Items<object>>(path`/users/${id}/sessions`),
      api.get<Items<App>>(path`/users/${id}/apps`),
      api.get<Awaited<ReturnType<typeof listFactors>>>(path`/users/${id}/factors`)
    ])
    const clients = apps.items.map(({ client }) => client.id).sort()
    const counts = { ...factors, trustedBrowsers: trustedBrowsers.length }
    return { ...detailsOf(user), sessions: sessions.items.length, clients, factors: counts }
  },
  text: user => table([
    ['ID', user.id],
    ['User name', quote(user.username)],
    ['State', user.disabledAt === null ? describeState(user) : `${describeState(user)} since ${user.disabledAt.toISOString()}`],
    ['Registered', user.createdAt.toISOString()],
    ...textAttributes.flatMap(attribute => {
      const state = attribute === 'email' ? ` (${user.emailVerified ? 'verified' : 'not verified'})` : ''
      return user[attribute] === null ? [] : [[attributes[userFields[attribute].label], `${quote(user[attribute])}${state}`]]
    }),
    ...user.roles.length === 0 ? [] : [['Roles', user.roles.join(' ')]],
    ...user.termsAcceptedAt === null ? [] : [['Terms', `${quote(user.termsVersion ?? '')} accepted ${user.termsAcceptedAt.toISOString()}`]],
    ['Two-step', describeFactors(user.factors)],
    ...describeUpstream(user.factors),
    ['Sessions', `${user.sessions}`],
    ...user.clients.length === 0 ? [['Clients', 'none']] : user.clients.map((clientId, index) => [index === 0 ? 'Clients' : '', clientId])
  ])
})

const update = command('update <username>', {
  says: 'Change the attributes of a user. Those without an option keep their values; an empty value removes one.',
  options: {
    ...ATTRIBUTES,
    '--add-role <role>': { says: 'add a role; repeatable', repeatable: true, conflicts: 'roles' },
    '--remove-role <role>': { says: 'remove a role; repeatable', repeatable: true, conflicts: 'roles' },
    '--roles <roles>': 'all roles of the user, space-separated; an empty value removes them'
  },
  more: `A changed email address is not verified. If email is on, the user gets a
link to verify it.

Example:
  frontdesk-auth user update ann --name 'Ann Example' \\
    --email ann@example.com --email-verified yes`,
  run: async ({ username, ...options }) => {
    const change = toChange(options)
    return await withStores(async (stores, by) => await updateUser(stores, username, { ...change, config: loadConfig }, by))
  },
  async remote (api, { username, ...options }) {
    const { attributes, roles } = toChange(options)
    const { id } = await findRemoteUser(api, username)
    const { after } = await api.edit<UserDetails, Awaited<ReturnType<typeof updateUser>>>(path`/users/${id}`, before =>
      ({ ...attributes, roles: roles !== undefined && 'add' in roles ? edited(before.roles, roles, 'role') : roles }))
    const { mailedTo, mailFailure } = after
    return { ...detailsOf(after), ...mailedTo !== undefined && { mailedTo }, ...mailFailure !== undefined && { mailFailure } }
  },
  text: ({ username, mailedTo }) =>
    `Changed ${quote(username)}.${mailedTo === undefined ? '' : ` Emailed a link to verify ${quote(mailedTo)}.`}`,
  fields: ({ mailFailure, ...user }) => user,
  note: ({ mailFailure }) => mailFailure && String(mailFailure)
})

interface RoleOptions { readonly roles?: string, readonly addRole?: readonly string[], readonly removeRole?: readonly string[] }

/** @throws UsageError without a change */
function toChange ({ roles: all, addRole, removeRole, ...options }: RoleOptions) {
  const attributes = attributesOf(options)
  const roles = all === undefined ? toEdit(addRole, removeRole) : [...new Set(all.split(' ').filter(it => it !== ''))]
  const isEmpty = roles === undefined && Object.values(attributes).every(it => it === undefined)
  if (isEmpty) throw new UsageError('name at least one option to change')
  return { attributes, roles }
}

const rename = command('rename <username> <new_username>', {
  says: 'Change the user name of a user. The id, the password and all access stay.',
  run: async ({ username, newUsername }) => await withStores(async (stores, by) => await renameUser(stores, username, newUsername, by)),
  remote: async (api, { username, newUsername }) =>
    await onRemoteUser(api, username, async user => await api.put(`${user}/username`, { username: newUsername })),
  text: (_, { username, newUsername }) => `Renamed ${quote(username)} to ${quote(newUsername)}.`
})

const signOut = command('sign-out <username>', {
  says: 'Sign a user out everywhere, and revoke the access of all clients within ten seconds. They can sign in again.',
  run: async ({ username }) => await withStores(async (stores, by) => await signOutUser(stores, username, by)),
  remote: async (api, { username }) => await onRemoteUser(api, username, async user => await api.post(`${user}/sign-out`)),
  text: ({ username }) => `Signed out ${quote(username)} everywhere. Clients lose access within ten seconds.`
})

const revoke = command('revoke <username> <client_id>', {
  says: 'Revoke the access of one client to the account of a user within ten seconds, and forget their consent.',
  run: async ({ username: user, clientId }) => await withStores(async (stores, by) => await revokeAccess(stores, { user, clientId }, by)),
  async remote (api, { username, clientId }) {
    const user = await findRemoteUser(api, username)
    const { items } = await api.get<Items<App>>(path`/users/${user.id}/apps`)
    await api.delete(path`/users/${user.id}/apps/${clientId}`)
    return { ...summaryOf(user), hadAccess: items.some(({ client }) => client.id === clientId) }
  },
  text: ({ username, hadAccess }, { clientId }) => hadAccess
    ? `Revoked the access of ${quote(clientId)} to the account of ${quote(username)}. It ends within ten seconds.`
    : `There was nothing to revoke: ${quote(clientId)} has no access to the account of ${quote(username)}.`,
  fields: ({ hadAccess, ...user }) => user
})

const disable = command('disable <username>', {
  says: 'Sign a user out everywhere and refuse sign-in. The access of clients ends within ten seconds.',
  run: async ({ username }) => await withStores(async (stores, by) => await setUserDisabled(stores, username, true, by)),
  remote: async (api, { username }) => await onRemoteUser(api, username, async user => await api.post(`${user}/disable`)),
  text: (_, { username }) => `Disabled ${quote(username)} and ended every session. The access of clients ends within ten seconds.`
})

const enable = command('enable <username>', {
  says: 'Allow a disabled user to sign in again.',
  run: async ({ username }) => await withStores(async (stores, by) => await setUserDisabled(stores, username, false, by)),
  remote: async (api, { username }) => await onRemoteUser(api, username, async user => await api.post(`${user}/enable`)),
  text: (_, { username }) => `Enabled ${quote(username)}.`
})

const remove = command('remove <username>', {
  says: 'Permanently remove a user, with everything stored about them. Audit rows keep only the id.',
  options: YES,
  run: async ({ username, ...sure }) => await withStores(async (stores, by) => {
    const user = await findUser(stores, username)
    await confirmRemoval(user, sure)
    return await removeUser(stores, username, by)
  }),
  async remote (api, { username, ...sure }) {
    const user = await findRemoteUser(api, username)
    await confirmRemoval(user, sure)
    await api.delete(path`/users/${user.id}`)
    return summaryOf(user)
  },
  text: ({ id, username }) => `Removed ${quote(username)}. Access of clients ends within ten seconds. Audit rows keep the id ${id}.`
})

async function confirmRemoval ({ username }: UserSummary, sure: { readonly yes?: true }): Promise<void> {
  await confirm(`Permanently remove ${quote(username)} and everything stored about them?`, sure)
}

const { add, invite, passwd, resetLink } = passwordCommands
const { sessions, endOneSession, failedSignIns, unlock, exportData } = accessCommands
const { factorLink, removeAllFactors, disconnect } = factorCommands

/** Commands for users. */
export const user = noun('user', 'Manage users.', [
  add, invite, importCommand, all, show, update, rename, passwd, resetLink, signOut, sessions, endOneSession, revoke, failedSignIns, unlock,
  factorLink, removeAllFactors, disconnect, disable, enable, exportData, remove
])

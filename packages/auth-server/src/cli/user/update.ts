import type { Command } from 'commander'
import { assertNone } from '@frontdesk/service-kit/cli/errors'
import { edited, type ListEdit } from '../../admin/list-edit.js'
import { unknownRole } from '../../admin/roles.js'
import { editOf, takeListEdit } from '../edit-list.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../with-stores.js'
import { attributesOf, fieldsOf, unknownUserError } from './describe.js'
import type { Stores } from '../../stores/stores.js'
import { assertVerifiable, readProfileOptions, takeProfileOptions, type ProfileOptions } from './profile-options.js'

/** The roles of a person, which options replace or edit. */
const ROLES = { option: 'roles', flag: 'role', value: '<role>', noun: 'role' }

/** `user update`: changes the named attributes of a person. */
export function updateUser (user: Command): void {
  const command = user.command('update <username>')
    .description('Change the attributes of a person. Those without an option keep their values; an empty value removes one.')
  takeListEdit(takeProfileOptions(command), ROLES)
    .option('--roles <roles>', 'all roles of the person, space-separated; an empty value removes them')
    .addOption(jsonOption('the person'))
    .addHelpText('after', `
A changed email address is not verified.

Example:
  frontdesk-auth user update ann --name 'Ann Example' \\
    --email ann@example.com --email-verified yes`)
    .action(async (username: string, { roles, ...options }: PrintOptions & ProfileOptions & { roles?: string }, command: Command) => {
      const { change, faults } = readProfileOptions(options)
      assertNone(...faults)
      assertVerifiable(change)
      const attributes = Object.keys(change)
      const edit = editOf(options, ROLES)
      if (attributes.length === 0 && roles === undefined && edit === undefined) command.error('error: name at least one option to change')
      await withStores(async stores => {
        const { users, profiles } = stores
        const before = await profiles.findByUsername(username)
        if (before === null) throw unknownUserError(username, await users.list())
        if (roles !== undefined) await assignRoles(stores, before.id, roles)
        if (edit !== undefined) await editRoles(stores, before.id, edit)
        if (attributes.length > 0 && !await profiles.change(username, change)) throw unknownUserError(username)
        // Names only: audit rows outlive the person.
        await record(stores, 'user update', { userId: before.id, details: { attributes, ...(roles !== undefined && { roles }), ...edit } })
        const [person, profile] = [await users.find(username), await profiles.findByUsername(username)]
        if (person === null || profile === null) throw unknownUserError(username)
        print(options, { ...fieldsOf(person), ...attributesOf(profile) }, `Changed ${quote(person.username)}.`)
      })
    })
}

/** @throws CommandError if there is no such role */
async function assignRoles (stores: Stores, userId: string, text: string): Promise<void> {
  const names = [...new Set(text.split(' ').filter(it => it !== ''))]
  if (!await stores.roles.assign(userId, names)) throw await unknownRole(stores, ...names)
}

/** @throws CommandError if there is no such role, or the person lacks one to remove */
async function editRoles (stores: Stores, userId: string, edit: ListEdit): Promise<void> {
  edited(await stores.roles.of(userId), edit, ROLES)
  if (!await stores.roles.edit(userId, edit)) throw await unknownRole(stores, ...edit.add, ...edit.remove)
}

import type { Command } from 'commander'
import { assertNone } from '../command-error.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '../text.js'
import { withStores } from '../with-stores.js'
import { attributesOf, fieldsOf, unknownUserError } from './describe.js'
import type { Stores } from '../../stores/stores.js'
import { unknownRoleError } from '../role/rules.js'
import { assertVerifiable, readProfileOptions, takeProfileOptions, type ProfileOptions } from './profile-options.js'

/** `user update`: changes the named attributes of a person. */
export function updateUser (user: Command): void {
  const command = user.command('update <username>')
    .description('Change the attributes of a person. Those without an option keep their values; an empty value removes one.')
  takeProfileOptions(command)
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
      if (attributes.length === 0 && roles === undefined) command.error('error: name at least one option to change')
      await withStores(async stores => {
        const { users, profiles } = stores
        const before = await profiles.findByUsername(username)
        if (before === null) throw unknownUserError(username, await users.list())
        if (roles !== undefined) await assignRoles(stores, before.id, roles)
        if (attributes.length > 0 && !await profiles.change(username, change)) throw unknownUserError(username)
        // Names only: audit rows outlive the person.
        await record(stores, 'user update', { userId: before.id, details: { attributes, ...(roles !== undefined && { roles }) } })
        const [person, profile] = [await users.find(username), await profiles.findByUsername(username)]
        if (person === null || profile === null) throw unknownUserError(username)
        print(options, { ...fieldsOf(person), ...attributesOf(profile) }, `Changed ${quote(person.username)}.`)
      })
    })
}

/** @throws CommandError if there is no such role */
async function assignRoles ({ roles }: Stores, userId: string, text: string): Promise<void> {
  const names = [...new Set(text.split(' ').filter(it => it !== ''))]
  if (await roles.assign(userId, names)) return
  const known = await roles.list()
  const unknown = names.find(name => !known.some(role => role.name === name)) ?? ''
  throw unknownRoleError(unknown, known)
}

import type { Command } from 'commander'
import { randomUUID } from 'node:crypto'
import { askPassword } from './password.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { assertNone } from '../command-error.js'
import { quote, whyNotName } from '../text.js'
import { makeStores } from '../with-stores.js'
import { attributesOf, fieldsOf, takenError, unknownUserError } from './describe.js'
import { assertVerifiable, readProfileOptions, takeProfileOptions, type ProfileOptions } from './profile-options.js'

/** `user add`: registers a person. */
export function addUser (user: Command): void {
  const command = user.command('add <username>')
    .description('Register a person. Prompts for the password, or reads it from the first line of standard input.')
  takeProfileOptions(command)
    .addOption(jsonOption('the person'))
    .action(async (username: string, options: PrintOptions & ProfileOptions) => {
      const { change: profile, faults } = readProfileOptions(options)
      assertNone(whyNotName('user name', username), ...faults)
      assertVerifiable(profile)
      await makeStores(async stores => {
        const { users, profiles } = stores
        // Checked before the password prompt; add() decides atomically.
        if (await users.find(username) !== null) throw takenError(username)
        const passwordHash = await askPassword(username)
        if (!await users.add({ id: randomUUID(), username, passwordHash, demo: false, ...profile })) throw takenError(username)
        const [added, person] = [await users.find(username), await profiles.findByUsername(username)]
        if (added === null || person === null) throw unknownUserError(username)
        await record(stores, 'user add', { userId: added.id })
        print(options, { ...fieldsOf(added), ...attributesOf(person) }, `Registered ${quote(username)}.`)
      })
    })
}

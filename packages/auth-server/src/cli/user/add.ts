import type { Command } from 'commander'
import { askPassword } from './password.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '@frontdesk/service-kit/showable'
import { makeStores } from '../with-stores.js'
import { attributesOf, fieldsOf, takenError } from './describe.js'
import { takeProfileOptions, type ProfileOptions } from './profile-options.js'
import { readNewPerson, register } from './register.js'

/** `user add`: registers a person. */
export function addUser (user: Command): void {
  const command = user.command('add <username>')
    .description('Register a person. Prompts for the password, or reads it from the first line of standard input.')
  takeProfileOptions(command)
    .addOption(jsonOption('the person'))
    .action(async (username: string, options: PrintOptions & ProfileOptions) => {
      const profile = readNewPerson(username, options)
      await makeStores(async stores => {
        // Checked before the password prompt; register() decides atomically.
        if (await stores.users.find(username) !== null) throw takenError(username)
        const { user, person } = await register(stores, username, await askPassword({ username, ...profile }), profile)
        await record(stores, 'user add', { userId: user.id })
        print(options, { ...fieldsOf(user), ...attributesOf(person) }, `Registered ${quote(username)}.`)
      })
    })
}

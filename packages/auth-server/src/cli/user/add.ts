import type { Command } from 'commander'
import { randomUUID } from 'node:crypto'
import { askPassword } from './password.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { CommandError, assertNone } from '../command-error.js'
import { quote, whyNotName } from '../text.js'
import { makeStores } from '../with-stores.js'
import { fieldsOf, unknownUserError } from './describe.js'

/** `user add`: registers a person. */
export function addUser (user: Command): void {
  user.command('add <username>')
    .description('Register a person. Prompts for the password, or reads it from the first line of standard input.')
    .addOption(jsonOption('the person'))
    .action(async (username: string, options: PrintOptions) => {
      assertNone(whyNotName('user name', username))
      await makeStores(async stores => {
        const { users } = stores
        const taken = () => new CommandError(`The user name ${quote(username)} is taken; upper and lower case make no difference.`)
        // Checked before the password prompt; add() decides atomically.
        if (await users.find(username) !== null) throw taken()
        const passwordHash = await askPassword(username)
        if (!await users.add({ id: randomUUID(), username, passwordHash, demo: false })) throw taken()
        const added = await users.find(username)
        if (added === null) throw unknownUserError(username)
        await record(stores, 'user add', { userId: added.id })
        print(options, fieldsOf(added), `Registered ${quote(username)}.`)
      })
    })
}

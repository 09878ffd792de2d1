import type { Command } from 'commander'
import { askPassword } from '../password.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { quote } from '../text.js'
import { withStores } from '../with-stores.js'
import { fieldsOf, noSuchUser } from '../describe-user.js'

/** `user passwd`: sets a password and ends every session. */
export function setPassword (user: Command): void {
  user.command('passwd <username>')
    .description('Set a new password and sign the person out everywhere. It is asked for, or is the first line of standard input.')
    .addOption(jsonOption('the person'))
    .action(async (username: string, options: PrintOptions) => await withStores(async ({ users }) => {
      const person = await users.find(username)
      if (person === null) throw noSuchUser(username)
      if (!await users.setPassword(username, await askPassword(person.username))) throw noSuchUser(username)
      print(options, fieldsOf(person), `Set the password of ${quote(person.username)} and ended every session.`)
    }))
}

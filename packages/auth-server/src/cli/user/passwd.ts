import type { Command } from 'commander'
import { askPassword } from './password.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../with-stores.js'
import { fieldsOf, unknownUserError } from './describe.js'

/** `user passwd`: sets a password, ends every session and revokes the access of every app. */
export function setPassword (user: Command): void {
  user
    .command('passwd <username>')
    .description(
      'Set a new password, sign the person out everywhere, and end the access of apps. Prompts for it, or reads it from the first line of standard input.'
    )
    .addOption(jsonOption('the person'))
    .action(
      async (username: string, options: PrintOptions) =>
        await withStores(async stores => {
          const { users, profiles } = stores
          const [person, profile] = [await users.find(username), await profiles.findByUsername(username)]
          if (person === null) throw unknownUserError(username, await users.list())
          if (!(await users.setPassword(username, await askPassword(profile ?? person)))) throw unknownUserError(username)
          await record(stores, 'user passwd', { userId: person.id })
          print(
            options,
            fieldsOf(person),
            `Set the password of ${quote(person.username)} and ended every session. The access of apps ends within ten seconds.`
          )
        })
    )
}

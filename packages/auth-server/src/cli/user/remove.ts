import type { Command } from 'commander'
import { confirm } from '@frontdesk/service-kit/cli/confirm'
import { fieldsOf, unknownUserError } from './describe.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '@frontdesk/service-kit/showable'
import { withStores } from '../with-stores.js'

/** `user remove`: erases a person; audit rows keep the id. */
export function removeUser (user: Command): void {
  user.command('remove <username>')
    .description('Permanently remove a person, with everything stored about them. Audit rows keep only the id.')
    .option('--yes', 'skip the confirmation; required without a terminal')
    .addOption(jsonOption('the person as they were'))
    .action(async (username: string, options: PrintOptions & { yes?: true }) => await withStores(async stores => {
      const { users } = stores
      const person = await users.find(username)
      if (person === null) throw unknownUserError(username, await users.list())
      if (!options.yes) await confirm(`Permanently remove ${quote(person.username)} and everything stored about them?`)
      const userId = await users.remove(username)
      if (userId === null) throw unknownUserError(username)
      await record(stores, 'user remove', { userId })
      print(
        options,
        fieldsOf(person),
        `Removed ${quote(person.username)}. Access of apps ends within ten seconds. Audit rows keep the id ${userId}.`
      )
    }))
}

import type { Command } from 'commander'
import { fieldsOf, takenError, unknownUserError } from './describe.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { assertNone } from '@frontdesk/service-kit/cli/errors'
import { quote } from '@frontdesk/service-kit/showable'
import { whyNotName } from '../../input/text.js'
import { withStores } from '../with-stores.js'

/** `user rename`: changes the user name; the id, the password and all access stay. */
export function renameUser (user: Command): void {
  user.command('rename <username> <new_username>')
    .description('Change the user name of a person. The id, the password and all access stay.')
    .addOption(jsonOption('the person'))
    .action(async (username: string, wanted: string, options: PrintOptions) => {
      assertNone(whyNotName('user name', wanted))
      await withStores(async stores => {
        const { users } = stores
        const outcome = await users.rename(username, wanted)
        if (outcome === 'taken') throw takenError(wanted)
        const person = outcome === 'renamed' ? await users.find(wanted) : null
        if (person === null) throw unknownUserError(username, await users.list())
        // Without the names: audit rows outlive the person.
        await record(stores, 'user rename', { userId: person.id })
        print(options, fieldsOf(person), `Renamed ${quote(username)} to ${quote(wanted)}.`)
      })
    })
}

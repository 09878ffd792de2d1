import { list } from '@frontdesk/service-kit/terminal/table'
import type { Command } from 'commander'
import { jsonOption, print, stateOf, type PrintOptions } from '../print.js'
import { readStores } from '../with-stores.js'
import { fieldsOf } from './describe.js'

/** `user list`: all people, by user name. */
export function listUsers (user: Command): void {
  user.command('list')
    .description('List the people. The id is the "sub" of their access tokens.')
    .addOption(jsonOption('the people with all fields except the password'))
    .action(async (options: PrintOptions) => await readStores(async ({ users }) => {
      const all = await users.list()
      const rows = all.map(person => [person.id, stateOf(person), person.username])
      print(options, all.map(fieldsOf), all.length === 0 ? 'No people are registered.' : list(['ID', 'STATE', 'USER NAME'], rows))
    }))
}

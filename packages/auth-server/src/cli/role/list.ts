import { list } from '@frontdesk/service-kit/terminal/table'
import type { Command } from 'commander'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { readStores } from '../with-stores.js'

/** `role list`: every role, by name. */
export function listRoles (role: Command): void {
  role.command('list')
    .description('List the roles with their scopes.')
    .addOption(jsonOption('the roles'))
    .action(async (options: PrintOptions) => await readStores(async ({ roles }) => {
      const all = await roles.list()
      const rows = all.map(({ name, people, scopes }) => [name, `${people}`, scopes.join(' ')])
      print(options, all, all.length === 0 ? 'There are no roles: everyone can grant every scope.' : list(['ROLE', 'PEOPLE', 'SCOPES'], rows))
    }))
}

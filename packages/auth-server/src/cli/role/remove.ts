import type { Command } from 'commander'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '../text.js'
import { confirm } from '../confirm.js'
import { withStores } from '../with-stores.js'
import { unknownRoleError, warnOfFree } from './rules.js'

/** `role remove`: removes a role, also from people. */
export function removeRole (role: Command): void {
  role.command('remove <name>')
    .description('Remove a role. Everyone can then grant scopes that no other role has.')
    .option('--yes', 'skip the confirmation; required without a terminal')
    .addOption(jsonOption('the removed role'))
    .action(async (name: string, options: PrintOptions & { yes?: true }) => await withStores(async stores => {
      const all = await stores.roles.list()
      const found = all.find(it => it.name === name)
      if (found === undefined) throw unknownRoleError(name, all)
      if (!options.yes) await confirm(`Remove the role ${quote(name)} (${found.scopes.join(' ')}), which ${found.people} people have?`)
      if (!await stores.roles.remove(name)) throw unknownRoleError(name, all)
      await record(stores, 'role remove', { details: { role: name } })
      print(options, found, `Removed the role ${quote(name)}.${warnOfFree(found.scopes, await stores.roles.list())}`)
    }))
}

import type { Command } from 'commander'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '../text.js'
import { withStores } from '../with-stores.js'
import { readRole, unknownRoleError, warnOfFree } from './rules.js'

/** `role change`: replaces the scopes of a role. */
export function changeRole (role: Command): void {
  role.command('change <name>')
    .description('Replace the scopes of a role. Apps follow with their next tokens.')
    .requiredOption('--scopes <scopes>', 'what only people with this role may grant, space-separated')
    .addOption(jsonOption('the role'))
    .action(async (name: string, { scopes: text, ...options }: PrintOptions & { scopes: string }) => {
      const scopes = readRole(name, text)
      await withStores(async stores => {
        const before = await stores.roles.list()
        if (!await stores.roles.change(name, scopes)) throw unknownRoleError(name, before)
        await record(stores, 'role change', { details: { role: name, scopes } })
        const warning = warnOfFree(before.find(it => it.name === name)?.scopes ?? [], await stores.roles.list())
        print(options, { name, scopes }, `Changed the role ${quote(name)}: ${scopes.join(' ')}${warning}`)
      })
    })
}

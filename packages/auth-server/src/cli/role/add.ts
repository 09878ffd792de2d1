import type { Command } from 'commander'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '../text.js'
import { CommandError } from '../command-error.js'
import { makeStores } from '../with-stores.js'
import { assertRoom, readRole } from './rules.js'

/** `role add`: reserves scopes for people with a role. */
export function addRole (role: Command): void {
  role.command('add <name>')
    .description('Add a role. Only people with it can grant its scopes to apps.')
    .requiredOption('--scopes <scopes>', 'scopes that only people with this role can grant, space-separated')
    .addOption(jsonOption('the role'))
    .action(async (name: string, { scopes: text, ...options }: PrintOptions & { scopes: string }) => {
      const scopes = readRole(name, text)
      await makeStores(async stores => {
        assertRoom(await stores.roles.list())
        if (!await stores.roles.add(name, scopes)) throw new CommandError(`There is a role ${quote(name)} already. To see all: frontdesk-auth role list`)
        await record(stores, 'role add', { details: { role: name, scopes } })
        const next = `To give it to someone: frontdesk-auth user update <username> --add-role ${name}`
        print(options, { name, scopes }, `Added the role ${quote(name)}. Only people with it can grant: ${scopes.join(' ')}\n${next}`)
      })
    })
}

import type { Command } from 'commander'
import { editOf, edited, takeListEdit } from '../edit-list.js'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { record } from '../record.js'
import { quote } from '../text.js'
import { withStores } from '../with-stores.js'
import { readRole, unknownRoleError, warnOfFree } from './rules.js'

const SCOPES = { option: 'scopes', flag: 'scope', value: '<scope>', noun: 'scope' }

/** `role change`: changes the scopes of a role. */
export function changeRole (role: Command): void {
  const command = role.command('change <name>')
    .description('Change the scopes of a role. Apps follow with their next tokens.')
    .option('--scopes <scopes>', 'all scopes that only people with this role can grant, space-separated')
  takeListEdit(command, SCOPES)
    .addOption(jsonOption('the role'))
    .action(async (name: string, { scopes: text, ...options }: PrintOptions & { scopes?: string }, command: Command) => {
      const edit = editOf(options, SCOPES)
      if (text === undefined && edit === undefined) command.error("error: name at least one of '--scopes', '--add-scope' and '--remove-scope'")
      await withStores(async stores => {
        const before = await stores.roles.list()
        const decide = (present: readonly string[]) =>
          readRole(name, edit === undefined ? text ?? '' : edited(present, edit, SCOPES).join(' '))
        const scopes = await stores.roles.change(name, decide)
        if (scopes === null) throw unknownRoleError(name, before)
        await record(stores, 'role change', { details: { role: name, scopes } })
        const warning = warnOfFree(before.find(it => it.name === name)?.scopes ?? [], await stores.roles.list())
        print(options, { name, scopes }, `Changed the role ${quote(name)}: ${scopes.join(' ')}${warning}`)
      })
    })
}

import type { Command } from 'commander'
import { jsonOption, list, minuteOf, print, type PrintOptions } from '../print.js'
import { readStores } from '../with-stores.js'

/** `registration list`: the tokens that have not expired and been removed, without the tokens themselves. */
export function listRegistrationTokens (registration: Command): void {
  registration.command('list')
    .description('List the tokens with which apps register themselves.')
    .addOption(jsonOption('the tokens'))
    .action(async (options: PrintOptions) => await readStores(async ({ registrationTokens }) => {
      const all = await registrationTokens.list()
      const rows = all.map(({ id, usesLeft, expiresAt, grantTypes }) => [id, String(usesLeft), minuteOf(expiresAt), grantTypes.join(' ')])
      print(options, all, all.length === 0 ? 'There are no tokens.' : list(['ID', 'USES LEFT', 'EXPIRES', 'GRANTS'], rows))
    }))
}

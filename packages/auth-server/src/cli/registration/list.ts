import { list } from '@frontdesk/service-kit/cli/table'
import type { Command } from 'commander'
import { jsonOption, minuteOf, print, type PrintOptions } from '../print.js'
import { readStores } from '../with-stores.js'

/** `registration list`: the tokens that have not expired and been removed, without the tokens themselves. */
export function listRegistrationTokens (registration: Command): void {
  registration.command('list')
    .description('List the tokens with which apps register themselves.')
    .addOption(jsonOption('the tokens'))
    .action(async (options: PrintOptions) => await readStores(async ({ registrationTokens }) => {
      const all = await registrationTokens.list()
      const tokens = all.map(({ allowedScope, ...token }) => ({ ...token, allowedScope: allowedScope ?? '*' }))
      const limited = all.some(({ allowedScope }) => allowedScope !== null)
      const rows = tokens.map(({ id, usesLeft, expiresAt, grantTypes, allowedScope }) =>
        [id, String(usesLeft), minuteOf(expiresAt), grantTypes.join(' '), ...limited ? [allowedScope] : []])
      const head = ['ID', 'USES LEFT', 'EXPIRES', 'GRANTS', ...limited ? ['ALLOWED SCOPE'] : []]
      print(options, tokens, all.length === 0 ? 'There are no tokens.' : list(head, rows))
    }))
}

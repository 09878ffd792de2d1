import type { Command } from 'commander'
import { jsonOption, type PrintOptions } from '../print.js'
import { quote } from '../text.js'
import { setClientDisabled } from '../set-disabled.js'

/** `client enable`: undoes `client disable`. */
export function enableClient (client: Command): void {
  client.command('enable <client_id>')
    .description('Let a disabled app ask for access tokens again.')
    .addOption(jsonOption('the app'))
    .action(async (id: string, options: PrintOptions) => {
      await setClientDisabled(id, 'enable', options, `Enabled the app ${quote(id)}.`)
    })
}

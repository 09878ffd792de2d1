import type { Command } from 'commander'
import { jsonOption, type PrintOptions } from '../print.js'
import { quote } from '../text.js'
import { setClientDisabled } from '../set-disabled.js'

/** `client disable`: its authorization requests are refused as if it were unknown, and everything that it holds ends for good. */
export function disableClient (client: Command): void {
  client.command('disable <client_id>')
    .description('Refuse an app new access tokens, and end those that it has within ten seconds.')
    .addOption(jsonOption('the app'))
    .action(async (id: string, options: PrintOptions) => {
      await setClientDisabled(id, 'disable', options, `Disabled the app ${quote(id)}. Its access ends within ten seconds.`)
    })
}

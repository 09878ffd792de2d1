import type { Command } from 'commander'
import { jsonOption, type PrintOptions } from '../print.js'
import { quote } from '../text.js'
import { setClientDisabled } from '../set-disabled.js'

/** `client disable`: its authorization requests are refused as if it were unknown. */
export function disableClient (client: Command): void {
  client.command('disable <client_id>')
    .description('Refuse an app new access tokens. Those that it has work until they end.')
    .addOption(jsonOption('the app'))
    .action(async (id: string, options: PrintOptions) => {
      await setClientDisabled(id, new Date(), options, `Disabled the app ${quote(id)}. Access tokens that it has work until they end.`)
    })
}

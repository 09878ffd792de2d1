import type { Command } from 'commander'
import { jsonOption, type PrintOptions } from '../print.js'
import { quote } from '../text.js'
import { setUserDisabled } from '../set-disabled.js'

/** `user enable`: undoes `user disable`. */
export function enableUser (user: Command): void {
  user.command('enable <username>')
    .description('Let a disabled person sign in again.')
    .addOption(jsonOption('the person'))
    .action(async (username: string, options: PrintOptions) => {
      await setUserDisabled(username, 'enable', options, `Enabled ${quote(username)}.`)
    })
}

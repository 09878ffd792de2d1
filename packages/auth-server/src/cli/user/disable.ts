import type { Command } from 'commander'
import { jsonOption, type PrintOptions } from '../print.js'
import { quote } from '../text.js'
import { setUserDisabled } from '../set-disabled.js'

/** `user disable`: no sign-in, and every session and all that apps have ends. */
export function disableUser (user: Command): void {
  user.command('disable <username>')
    .description('Sign a person out everywhere and refuse to sign them in. What apps have ends within ten seconds.')
    .addOption(jsonOption('the person'))
    .action(async (username: string, options: PrintOptions) => {
      await setUserDisabled(username, 'disable', options, `Disabled ${quote(username)} and ended every session. What apps have ends within ten seconds.`)
    })
}

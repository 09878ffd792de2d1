import type { Command } from 'commander'
import { jsonOption, type PrintOptions } from '../print.js'

/** `doctor`: checks an installation and suggests remedies. */
export function doctor (program: Command): void {
  program.command('doctor')
    .description('Check the settings, the database, the apps, the keys, the clock and the public address.')
    .addOption(jsonOption('the findings'))
    .addHelpText('after', `
Reads the settings from its environment, as auth-server does, compares
them with those of the running service if it finds one, and changes nothing.
Exit codes: 0 all is well, 1 something is wrong, 2 wrong usage, 3 warnings only.`)
    .action(async (options: PrintOptions) => {
      const { report } = await import('@frontdesk/service-kit/doctor/print')
      const { examine } = await import('./examine.js')
      await report(examine(), options)
    })
}

import type { Command } from 'commander'
import { jsonOption, type PrintOptions } from './print.js'

/** `doctor`: says whether this installation can work, and what to do where it cannot. */
export function doctor (program: Command): void {
  program.command('doctor')
    .description('Check the settings, the database, the apps, the keys, the clock and the public address.')
    .addOption(jsonOption('what was found'))
    .addHelpText('after', `
Takes the same environment as auth-server, and changes nothing.
Exit codes: 0 all is well, 1 something is wrong, 2 wrong usage, 3 warnings only.`)
    .action(async (options: PrintOptions) => {
      const { report } = await import('../diagnosis/generated/print.js')
      const { examine } = await import('./doctor/examine.js')
      await report(examine(), options)
    })
}

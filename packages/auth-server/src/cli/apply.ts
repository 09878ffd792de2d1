import type { Command } from 'commander'
import { jsonOption } from './print.js'
import type { ApplyOptions } from './configuration/apply.js'

/** `apply`: makes the apps those of a file, all or nothing. */
export function applyClients (program: Command): void {
  program.command('apply')
    .description('Make the registered apps like those of a file, all at once or not at all. What is like it already is left alone.')
    .requiredOption('-f, --file <file>', 'YAML or JSON, as export prints it; - is standard input')
    .option('--diff', 'only say what would change')
    .option('--prune', 'remove the apps that are not in the file')
    .addOption(jsonOption('what changes'))
    .addHelpText('after', `
Example:
  frontdesk-auth export > clients.yaml
  frontdesk-auth apply -f clients.yaml --diff`)
    .action(async (options: ApplyOptions) => {
      // What reads such files takes a while to load.
      const { applyFile } = await import('./configuration/apply.js')
      await applyFile(options)
    })
}

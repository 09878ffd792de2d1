import { InvalidArgumentError, type Command } from 'commander'
import { jsonOption } from '../print.js'
import type { ApplyOptions } from './apply-file.js'

/** `apply`: syncs the registered apps with a file, all or nothing. */
export function applyClients (program: Command): void {
  program.command('apply')
    .description('Sync the registered apps with a file, in one transaction.')
    .requiredOption('-f, --file <file>', 'YAML or JSON, as export prints it; - is standard input')
    .option('--diff', 'only show what would change')
    .option('--prune', 'remove the apps that are not in the file')
    .option(
      '--yes [number]',
      'remove apps without confirmation; required without a terminal. With a number: only if exactly that many are removed',
      count
    )
    .addOption(jsonOption('the changes'))
    .addHelpText('after', `
Example:
  frontdesk-auth export > clients.yaml
  frontdesk-auth apply -f clients.yaml --diff`)
    .action(async (options: ApplyOptions) => {
      // Loaded on demand: the YAML parser would slow down every other command.
      const { applyFile } = await import('./apply-file.js')
      await applyFile(options)
    })
}

function count (text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Give the number of apps that may be removed, as in --yes=3.')
  return Number(text)
}

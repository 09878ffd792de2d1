import type { Command } from 'commander'
import { formatOf, formatOption, urlOption, type Format } from './options.js'

/** Options of `export`. */
interface ExportFlags {
  readonly url: string
  readonly format?: Format
  readonly bom?: boolean
  readonly force?: boolean
}

/** `frontdesk-customer export`: writes all customers to a file, over HTTP. */
export function exportCommand (program: Command): void {
  program.command('export [file]')
    .description('Write all customers of customer-service to a file, with the sign-in of "login".')
    .addOption(urlOption())
    .addOption(formatOption('default: by the end of the name, or csv'))
    .option('--bom', 'begin with a byte order mark, by which Excel knows that CSV is UTF-8')
    .option('--force', 'replace a file that exists')
    .addHelpText('after', '\nWithout a file, writes to standard output. The file has its name only once it is\ncomplete.')
    .action(async (file: string | undefined, flags: ExportFlags, command: Command) => {
      const { url, format = formatOf(file ?? '') ?? 'csv', bom = false, force = false } = flags
      if (bom && format !== 'csv') return command.error('error: --bom is for CSV')
      const { runExport } = await import('./run-export.js')
      await runExport(file, { url, format, bom, force })
    })
}

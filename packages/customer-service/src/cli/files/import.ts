import { Option, type Command } from 'commander'
import { formatOf, formatOption, formats, urlOption, type Format } from './options.js'

/** Options of `import`. */
interface ImportFlags {
  readonly url: string
  readonly format?: Format
  readonly mode: string
  readonly dryRun?: boolean
  readonly idempotencyKey?: string
}

/** `frontdesk-customer import`: registers the customers of a file, over HTTP. */
export function importCommand (program: Command): void {
  program.command('import <file>')
    .description('Register the customers of a file at customer-service, with the sign-in of "login".')
    .addOption(urlOption())
    .addOption(formatOption('default: by the end of the name'))
    .option('--dry-run', 'only check the file')
    .addOption(new Option('--mode <mode>', 'register the records without errors, or none').choices(['best-effort', 'all-or-nothing']).default('best-effort'))
    .option('--idempotency-key <key>', 'default: made of the contents of the file')
    .addHelpText('after', `
"-" reads standard input. After a break, run the same command again within 24
hours: the import of a file continues where it stopped; that of standard input
does, too, with an --idempotency-key.
Exit codes: 0 all are registered, 1 some failed or the file was refused.`)
    .action(async (name: string, { url, format = formatOf(name), mode, dryRun = false, idempotencyKey }: ImportFlags, command: Command) => {
      if (format === undefined) return command.error(`error: add --format: ${name} does not end in .csv, .ndjson, .jsonl or .json`)
      const { runImport } = await import('./run-import.js')
      await runImport(name, { url, type: formats[format], mode, dryRun, idempotencyKey })
    })
}

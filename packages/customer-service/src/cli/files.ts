import { command } from '@frontdesk/service-kit/cli/command'
import { UsageError } from '@frontdesk/service-kit/cli/errors'
import { formatByName, formats, type Format } from './files/formats.js'
import { importFormatByName, importFormats, type ImportFormat } from './files/import-formats.js'

/** The option of commands that call a service. */
export const SERVICE_URL = { says: 'address of customer-service', env: 'CUSTOMER_URL', default: 'http://localhost:3001' } as const

// as: the keys of the tables.
const [FORMATS, IMPORT_FORMATS] = [Object.keys(formats) as Format[], Object.keys(importFormats) as ImportFormat[]]

/** `frontdesk-customer export`: writes all customers to a file, over HTTP. */
export const exportCommand = command('export [file]', {
  says: 'Write all customers of customer-service to a file, with the sign-in of "login".',
  options: {
    '--url <url>': SERVICE_URL,
    '--format <format>': { says: 'default: by the file extension, or csv', choices: FORMATS },
    '--bom': 'start with a byte order mark, so that Excel recognizes UTF-8',
    '--force': 'overwrite an existing file'
  },
  json: 'the file and the number of customers',
  more: 'Without a file, writes to standard output. The file appears under its name only\nonce it is complete.',
  async run ({ file, url, format = formatByName(file ?? '') ?? 'csv', bom = false, force = false, json }) {
    if (bom && format !== 'csv') throw new UsageError('--bom is for CSV')
    if (json && file === undefined) throw new UsageError('--json needs a file: standard output has the customers')
    const { runExport } = await import('./files/run-export.js')
    const customers = await runExport(file, { url, format, bom, force })
    return { file, customers }
  },
  text: ({ file, customers }) => file === undefined || customers === null ? undefined : `${exported(customers)} to ${file}.`,
  note: ({ file, customers }) => file !== undefined || customers === null ? undefined : `${exported(customers)}.`
})

/** `frontdesk-customer import`: registers the customers of a file, over HTTP. */
export const importCommand = command('import <file>', {
  says: 'Register the customers of a file at customer-service, with the sign-in of "login".',
  options: {
    '--url <url>': SERVICE_URL,
    '--format <format>': { says: 'default: by the file extension', choices: IMPORT_FORMATS },
    '--sheet <name>': 'sheet of a workbook; default: the first visible one',
    '--dry-run': 'check the file only',
    '--map <field:column>': {
      says: 'column of a field, such as "customername:Full name"; repeat a field to join columns, or end with "customerage:=0" for a value',
      repeatable: true
    },
    '--mode <mode>': { says: 'register customers, change them, or both', choices: ['create', 'update', 'upsert'], default: 'create' },
    '--match <match>': { says: 'find the customers to change by', choices: ['number', 'name'], default: 'number' },
    '--all-or-nothing': 'register every record or, if one has an error, none',
    '--idempotency-key <key>': 'default: derived from the contents of the file'
  },
  more: `"-" reads standard input. If an import is interrupted, run the same command
again within 24 hours: it continues where it stopped. For standard input, this
needs an --idempotency-key.
Exit codes: 0 all were registered, 1 some failed or the file was refused.`,
  async run ({ file, format = importFormatByName(file), sheet, allOrNothing = false, dryRun = false, map = [], idempotencyKey, ...rule }) {
    if (format === undefined) throw new UsageError(`add --format: ${file} does not end in .csv, .xlsx, .ndjson, .jsonl or .json`)
    if (rule.mode === 'create' && rule.match === 'name') throw new UsageError('--match name needs --mode update or --mode upsert')
    const { runImport } = await import('./files/run-import.js')
    return await runImport(file, { ...rule, type: importFormats[format], sheet, allOrNothing, dryRun, map, idempotencyKey })
  },
  text: ({ text }) => text,
  fields: ({ report, isReplay }) => ({ ...report, isReplay }),
  exitCode: ({ report }) => report.failed > 0 ? 1 : 0
})

function exported (customers: number): string {
  return `Exported ${customers === 1 ? '1 customer' : `${customers} customers`}`
}

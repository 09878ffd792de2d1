import { extname } from 'node:path'
import { formatByName, formats, type Format } from './formats.js'

/** Formats of imports, and their media types. */
export const importFormats = { ...formats, xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' }
export type ImportFormat = Format | 'xlsx'

/** Endings of CSV, and of files that people take for tables: the service tells what they are. */
const TABLES = ['tsv', 'tab', 'txt', 'xls', 'xlsb', 'ods', 'numbers', 'pdf', 'vcf', 'html', 'htm', 'xml', 'zip']

/** The format of a file by its name extension, even if it is compressed with gzip. */
export function importFormatByName (file: string): ImportFormat | undefined {
  const name = file.replace(/\.gz$/i, '')
  const ending = extname(name).slice(1).toLowerCase()
  if (ending === 'xlsx' || ending === 'xlsm') return 'xlsx'
  return TABLES.includes(ending) ? 'csv' : formatByName(name)
}

import type { Row } from '@frontdesk/service-kit/records/csv'
import { type Oversized, UnreadableFile } from '@frontdesk/service-kit/records/record'
import { fieldNames, type FieldName } from '../fields.js'
import { nearest } from '../nearest.js'

/** Maximum headings in an error, and characters of each. */
const [MAX_NAMED, MAX_LENGTH] = [20, 40]

/** The field of each heading: its name, or its heading in the browser app. */
const headings = new Map<string, FieldName>([
  ...fieldNames.map(name => [name, name] as const),
  ['number', 'customerid'], ['customernumber', 'customerid'],
  ['name', 'customername'], ['age', 'customerage'], ['address', 'customeraddress']
])

/**
 * Finds the field of each column; `undefined` for a column that is not imported. Ignores case, spaces, `_` and `-`.
 * @throws UnreadableFile if a column is missing or repeated
 */
export function readHeadings (row: Row | Oversized): Array<FieldName | undefined> {
  if ('limit' in row) throw new UnreadableFile(row.line, `must have at most ${row.limit}.`)
  const { line, cells } = row
  const columns = cells.map(cell => headings.get(normalize(cell)))
  const missing = fieldNames.filter(name => !columns.includes(name))
  if (missing.length > 0) throw new UnreadableFile(line, `is missing these columns: ${missing.join(', ')}. ${explain(cells, columns)}`)
  const repeated = fieldNames.filter(name => columns.indexOf(name) !== columns.lastIndexOf(name))
  if (repeated.length > 0) throw new UnreadableFile(line, `names a column more than once: ${repeated.join(', ')}.`)
  return columns
}

/** Lists the headings that were found and those that are known, with suggestions. */
function explain (cells: readonly string[], columns: ReadonlyArray<FieldName | undefined>): string {
  const shown = cells.slice(0, MAX_NAMED).map(cell => printable(cell))
  const more = cells.length > MAX_NAMED ? ` and ${cells.length - MAX_NAMED} more` : ''
  const meant = cells.slice(0, MAX_NAMED).flatMap((cell, index) => {
    const near = columns[index] === undefined && cell.length > 2 ? nearest(normalize(cell), [...headings.keys()]) : undefined
    return near === undefined ? [] : [`${printable(cell)} may mean ${headings.get(near)}.`]
  })
  const found = `Found: ${shown.join(', ')}${more}. Known: ${fieldNames.join(', ')}, or Number, Name, Age, Address.`
  return [found, ...meant, ...cells.length === 1 ? ['Separate the columns by comma, semicolon or TAB.'] : []].join(' ')
}

function normalize (cell: string): string {
  return cell.toLowerCase().replace(/[\s_-]/g, '')
}

function printable (cell: string): string {
  const text = [...cell.replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim()]
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).join('')}…` : text.join('')
}

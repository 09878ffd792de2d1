import type { Row } from '../../input/import/csv.js'
import { type Oversized, UnreadableFile } from '../../input/import/record.js'
import { fields, type FieldName } from '../fields.js'
import { nearest } from '../nearest.js'

/** Headings that an error names, at most, and characters of each. */
const [MAX_NAMED, MAX_LENGTH] = [20, 40]

/** The columns of a file. as: the keys are those of its type. */
export const columnNames = Object.keys(fields) as FieldName[]

/** Every heading, and its column: the name of the field, or the heading in the browser app. */
const headings = new Map<string, FieldName>([
  ...columnNames.map(name => [name, name] as const),
  ['number', 'customerid'], ['customernumber', 'customerid'], ['name', 'customername'], ['age', 'customerage'], ['address', 'customeraddress']
])

/**
 * Finds the column of each heading; `undefined` for a column that is not imported. Case, spaces, `_` and `-` do not matter.
 * @throws UnreadableFile if a column is missing or there twice
 */
export function readHeadings (row: Row | Oversized): Array<FieldName | undefined> {
  if ('limit' in row) throw new UnreadableFile(row.line, `must have at most ${row.limit}.`)
  const { line, cells } = row
  const columns = cells.map(cell => headings.get(plain(cell)))
  const missing = columnNames.filter(name => !columns.includes(name))
  if (missing.length > 0) throw new UnreadableFile(line, `is missing these columns: ${missing.join(', ')}. ${explain(cells, columns)}`)
  const repeated = columnNames.filter(name => columns.indexOf(name) !== columns.lastIndexOf(name))
  if (repeated.length > 0) throw new UnreadableFile(line, `names a column more than once: ${repeated.join(', ')}.`)
  return columns
}

/** Says what was found, what is known, and what was probably meant. */
function explain (cells: readonly string[], columns: ReadonlyArray<FieldName | undefined>): string {
  const shown = cells.slice(0, MAX_NAMED).map(cell => printable(cell))
  const more = cells.length > MAX_NAMED ? ` and ${cells.length - MAX_NAMED} more` : ''
  const meant = cells.slice(0, MAX_NAMED).flatMap((cell, index) => {
    const near = columns[index] === undefined && cell.length > 2 ? nearest(plain(cell), [...headings.keys()]) : undefined
    return near === undefined ? [] : [`${printable(cell)} may mean ${headings.get(near)}.`]
  })
  const found = `Found: ${shown.join(', ')}${more}. Known: ${columnNames.join(', ')}, or Number, Name, Age, Address.`
  return [found, ...meant, ...cells.length === 1 ? ['Separate the columns by comma, semicolon or TAB.'] : []].join(' ')
}

function plain (cell: string): string {
  return cell.toLowerCase().replace(/[\s_-]/g, '')
}

function printable (cell: string): string {
  const text = [...cell.replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim()]
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).join('')}…` : text.join('')
}

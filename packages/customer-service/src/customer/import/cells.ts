import { unescapeCell } from '@frontdesk/service-kit/spreadsheet-cell'
import type { Sent } from '../check.js'
import { fieldNames, fields, type FieldName } from '../fields.js'
import { AUTO } from './mapping.js'
import type { Source, Sources } from './headings.js'

/** What joins several columns. */
const joints: Partial<Record<FieldName, string>> = { customeraddress: ', ' }

/** Reads the fields of a row. */
export function readCells (cells: readonly string[], sources: Sources): Sent {
  const sent: Sent = Object.create(null)
  for (const name of fieldNames) {
    const source = sources[name]
    if (source !== undefined) sent[name] = readCell(cells, source, name)
  }
  return sent
}

/** @returns `undefined` for a number that the import gives */
function readCell (cells: readonly string[], { columns, otherwise }: Source, name: FieldName): string | undefined {
  const texts = columns.map(index => unescapeCell(cells[index] ?? ''))
  const text = texts.length === 1
    ? texts.join('')
    : texts.map(text => text.trim()).filter(text => text !== '').join(joints[name] ?? ' ')
  if (text.trim() === '' && otherwise !== undefined) return otherwise === AUTO ? undefined : otherwise.value
  return fields[name].json === 'number' ? toDigits(text) : text
}

/** Writes a whole number as digits: spreadsheets add spaces, decimals of zero, or an apostrophe that keeps the zeros before it. */
function toDigits (cell: string): string {
  return /^\s*'?(-?\d+)(?:[.,]0{1,2})?\s*$/.exec(cell)?.[1] ?? cell
}

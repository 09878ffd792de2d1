import type { Row } from '@frontdesk/service-kit/records/csv'
import type { JsonRecord } from '@frontdesk/service-kit/records/json'
import { limitInWords, type Oversized } from '@frontdesk/service-kit/records/record'
import { ProblemError } from '../../problems/define.js'
import type { LineError } from '../../stores/imports/imports.js'
import type { UnnumberedCustomer } from '../../stores/imports/numbering.js'
import { readJson } from '../body.js'
import { findErrors, type Sent } from '../check.js'
import { fields as checks, toInteger, type FieldName } from '../fields.js'
import { readCells } from './cells.js'
import type { Sources } from './headings.js'

/** A customer of a file. */
export interface ImportedCustomer { readonly line: number, readonly customer: UnnumberedCustomer }

/** A record of a file: a customer, or its errors. */
export type ImportRecord = ImportedCustomer | LineError

/** Maximum errors of a record: one for each field. */
const MAX_ERRORS = 4

/** What the rows of a table must have. `width`: number of its headings. */
interface Shape { readonly width: number, readonly fields: readonly FieldName[] }

/** Reads the rows of a table. */
export async function * readTable (
  rows: AsyncIterable<Row | Oversized>, sources: Sources, { width, fields }: Shape
): AsyncGenerator<ImportRecord> {
  for await (const row of rows) {
    if ('limit' in row) yield oversized(row)
    else if (isComplete(row.cells, sources, width)) {
      const sent = readCells(row.cells, sources)
      yield toRecord(row.line, sent, sent.customerid === undefined ? fields.filter(name => name !== 'customerid') : fields)
    } else yield wholeLine(row.line, `The record must have ${width} cells, as the headings; it has ${row.cells.length}.`)
  }
}

/** Reads JSON objects. @param fields those that each must have */
export async function * readObjects (
  records: AsyncIterable<JsonRecord | Oversized>, fields: readonly FieldName[]
): AsyncGenerator<ImportRecord> {
  for await (const record of records) yield 'limit' in record ? oversized(record) : fromJson(record, fields)
}

/** Whether a row has a cell of each field. Programs leave out empty cells at the end, such as an address's city, or add some. */
function isComplete (cells: readonly string[], sources: Sources, width: number): boolean {
  if (cells.length >= width) return cells.slice(width).every(cell => cell.trim() === '')
  return Object.values(sources).every(({ columns, otherwise }) => otherwise !== undefined || columns.some(index => index < cells.length))
}

function fromJson ({ line, json }: JsonRecord, fields: readonly FieldName[]): ImportRecord {
  try {
    return toRecord(line, readJson(json).sent, fields)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return wholeLine(line, 'The record must be one JSON object, with up to 32 members.')
  }
}

function oversized ({ line, limit }: Oversized): LineError {
  return wholeLine(line, `The record must have at most ${limitInWords(limit)}.`)
}

function wholeLine (line: number, detail: string): LineError {
  return { line, errors: [{ field: '', detail }] }
}

/** Reads a record. Without `customerid` among the fields, its number is not used. */
function toRecord (line: number, sent: Sent, fields: readonly FieldName[]): ImportRecord {
  const errors = findErrors(sent, fields, []).slice(0, MAX_ERRORS)
  const { customerid, customername, customerage, customeraddress } = sent
  const id = typeof customerid === 'string' && checks.customerid.check(customerid) === undefined ? toInteger(customerid) : undefined
  if (errors.length > 0) return { line, ...id === undefined ? {} : { customerid: id }, errors }
  const [name, age, address] = [String(customername), toInteger(String(customerage)), String(customeraddress)]
  const customer = { id: fields.includes('customerid') ? toInteger(String(customerid)) : null, name, age, address }
  return { line, customer }
}

import { unescapeCell } from '@frontdesk/service-kit/spreadsheet-cell'
import { readRows } from '@frontdesk/service-kit/records/csv'
import { readElements, readLines, type JsonRecord } from '@frontdesk/service-kit/records/json'
import { type Oversized, UnreadableFile } from '@frontdesk/service-kit/records/record'
import { readUtf8 } from '@frontdesk/service-kit/records/utf8'
import { readSlices } from '@frontdesk/service-kit/records/slices'
import { ProblemError } from '../../problems/define.js'
import type { NewCustomer } from '../../stores/customers/customer-record.js'
import type { LineError } from '../../stores/imports/imports.js'
import { readJson } from '../body.js'
import { findErrors, type Sent } from '../check.js'
import { fieldNames, fields, toInteger, type FieldName } from '../fields.js'
import { readHeadings } from './headings.js'

/** A record of a file: a customer, or its errors. */
export type ImportRecord = { readonly line: number, readonly customer: NewCustomer } | LineError

/** Readers of files, by media type. @throws UnreadableFile */
export const formats: Record<string, (body: AsyncIterable<Buffer>) => AsyncGenerator<ImportRecord>> = {
  'text/csv': readCsv,
  'application/x-ndjson': body => readRecords(readLines(readUtf8(readSlices(body)))),
  'application/json': body => readRecords(readElements(readUtf8(readSlices(body))))
}

/** Maximum errors of a record: one for each field. */
const MAX_ERRORS = 4

async function * readCsv (body: AsyncIterable<Buffer>): AsyncGenerator<ImportRecord> {
  let columns: Array<FieldName | undefined> | undefined
  for await (const row of readRows(readUtf8(readSlices(body)))) {
    if (columns === undefined) columns = readHeadings(row)
    else if ('limit' in row) yield oversized(row)
    else if (row.cells.length === columns.length) yield toRecord(row.line, toSent(columns, row.cells))
    else yield wholeLine(row.line, `The record must have ${columns.length} cells, as the headings; it has ${row.cells.length}.`)
  }
  if (columns === undefined) throw new UnreadableFile(1, `is missing: it names the columns ${fieldNames.join(', ')}.`)
}

async function * readRecords (records: AsyncIterable<JsonRecord | Oversized>): AsyncGenerator<ImportRecord> {
  for await (const record of records) yield 'limit' in record ? oversized(record) : fromJson(record)
}

function fromJson ({ line, json }: JsonRecord): ImportRecord {
  try {
    return toRecord(line, readJson(json).sent)
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return wholeLine(line, 'The record must be one JSON object, with up to 32 members.')
  }
}

function oversized ({ line, limit }: Oversized): LineError {
  return wholeLine(line, `The record must have at most ${limit}.`)
}

function wholeLine (line: number, detail: string): LineError {
  return { line, errors: [{ field: '', detail }] }
}

function toSent (columns: Array<FieldName | undefined>, cells: readonly string[]): Sent {
  const sent: Sent = Object.create(null)
  columns.forEach((name, index) => { if (name !== undefined) sent[name] = unescapeCell(cells[index] ?? '') })
  return sent
}

function toRecord (line: number, sent: Sent): ImportRecord {
  const errors = findErrors(sent, fieldNames, []).slice(0, MAX_ERRORS)
  const { customerid, customername, customerage, customeraddress } = sent
  const id = typeof customerid === 'string' && fields.customerid.check(customerid) === undefined ? toInteger(customerid) : undefined
  if (errors.length > 0) return { line, ...id === undefined ? {} : { customerid: id }, errors }
  const [name, age, address] = [String(customername), toInteger(String(customerage)), String(customeraddress)]
  const customer = { id: toInteger(String(customerid)), name, age, address }
  return { line, customer }
}

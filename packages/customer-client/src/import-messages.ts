// Written by `npm run contracts` from test/contract/recorded/openapi/customer-service.json.

import type { FieldError } from './problem-messages.js'

/** The errors of a record of a file. */
export interface LineError {
  /** Line number, as in an editor: line breaks in quotes count. */
  line: number
  customerid?: number | undefined
  /** With the rule ambiguous: two customers that have this name. With merged: the one that this customer was merged into. */
  customers?: Array<number> | undefined
  /** `field` is empty if the whole line is invalid. */
  errors: Array<FieldError>
}

/** The fields that an update would change. */
export interface DifferentFields {
  customername?: { before: string, after: string } | undefined
  customerage?: { before: number, after: number } | undefined
  customeraddress?: { before: string, after: string } | undefined
}

/** What an update would change. */
export interface Difference {
  line: number
  customerid: number
  fields: DifferentFields
}

/** The outcome of an import. */
export interface ImportReport {
  /** The operation, to undo the import. Absent if it changed nothing, or no history is kept. */
  operation?: string | undefined
  /** Records of the file. */
  lines: number
  /** In a dry run: those that could be registered. */
  registered: number
  /** Customers that were changed, with `mode=update` or `upsert`. */
  updated: number
  /** Customers that already had these values. */
  unchanged: number
  failed: number
  /** Errors of the first 1,000 failed records, up to four each. */
  errors: Array<LineError>
  hasMoreErrors: boolean
  /** In a dry run: those of `registered` that are probably typing errors: blank names, and ages below 0 or above 150. */
  warned?: number | undefined
  /** In a dry run: the warnings of the first 1,000 records that have any. */
  warnings?: Array<LineError> | undefined
  /** In a dry run: what the first 20 updates would change. */
  changes?: Array<Difference> | undefined
  dryRun: boolean
  file?: { format: 'csv' | 'xlsx' | 'ndjson' | 'json', charset?: string, delimiter?: string, sheet?: string, headingsLine?: number, mapping?: { customerid?: Array<string>, customername?: Array<string>, customerage?: Array<string>, customeraddress?: Array<string> } } | undefined
}

/** The beginning of a table, and how it would be imported. */
export interface ImportPreview {
  format: 'csv' | 'xlsx' | 'ndjson' | 'json'
  /** Of a text, as in the Encoding standard: utf-8, windows-1252, utf-16le … */
  charset?: string | undefined
  /** Of CSV. */
  delimiter?: string | undefined
  /** Of a workbook. */
  sheet?: string | undefined
  /** Line of the headings, if lines above it were skipped. */
  headingsLine?: number | undefined
  /** Where the values of each field come from, as values of `map`. */
  mapping: { customerid?: Array<string>, customername?: Array<string>, customerage?: Array<string>, customeraddress?: Array<string> }
  /** The visible sheets of a workbook, for `sheet`. */
  sheets?: Array<string> | undefined
  headings: Array<string>
  /** The first five records. */
  rows: Array<Array<string>>
  /** Fields without a source: an import is refused until `map` has one for each. */
  missing: Array<'customerid' | 'customername' | 'customerage' | 'customeraddress'>
  /** Sources for missing fields that are probably meant. */
  suggested: { customerid?: Array<string>, customername?: Array<string>, customerage?: Array<string>, customeraddress?: Array<string> }
}

import { isJson } from '@frontdesk/service-kit/records/kind'
import { readByKind } from '@frontdesk/service-kit/records/by-kind'
import { readText } from '@frontdesk/service-kit/records/charset'
import { readRows, type Row } from '@frontdesk/service-kit/records/csv'
import { readElements, readLines } from '@frontdesk/service-kit/records/json'
import { UnreadableFile, type Oversized } from '@frontdesk/service-kit/records/record'
import { readSlices } from '@frontdesk/service-kit/records/slices'
import { SpoolError } from '@frontdesk/service-kit/records/xlsx/spool'
import { serviceOverloaded } from '../../problems/service.js'
import { fieldNames, type FieldName } from '../fields.js'
import type { FileDetails, ImportPreview } from './details.js'
import { assertComplete, describeSources, findSources, suggest, type Sources } from './headings.js'
import type { Mapping } from './mapping.js'
import { readObjects, readTable, type ImportRecord } from './records.js'
import { findHeadings } from './title-rows.js'

/** Media types of files with customers, and their formats. The bytes of a table decide whether it is CSV or a workbook. */
export const formats = {
  'text/csv': 'table',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'table',
  'application/x-ndjson': 'ndjson',
  'application/json': 'json'
} as const

const NOT_JSON = 'This is a workbook or a ZIP file, not JSON. ' +
  'Send a workbook as application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.'

/** Records that a preview shows. */
const MAX_PREVIEWED = 5

/** How to read a file. */
export interface HowToRead {
  readonly format: typeof formats[keyof typeof formats]
  /** A known charset; `undefined`: to be found out. */
  readonly charset: string | undefined
  /** Whether its sender compressed it with gzip. */
  readonly isPacked: boolean
  readonly mapping: Mapping
  /** Fields that a record must have. */
  readonly fields: readonly FieldName[]
  /** Name of the sheet of a workbook; `undefined`: the first visible one. */
  readonly sheet: string | undefined
  /** Acquires a slot for a workbook, which takes memory. @returns a function that releases it; `null` if there is none */
  readonly acquireWorkbook: () => (() => void) | null
}

type Rows = AsyncGenerator<Row | Oversized>

/** A file with customers, which can be read once. */
export class ImportFile {
  readonly #body: AsyncIterable<Buffer>
  readonly #how: HowToRead
  #sheets: string[] | undefined
  /** What was found out so far. */
  details: FileDetails

  constructor (body: AsyncIterable<Buffer>, how: HowToRead) {
    this.#body = body
    this.#how = how
    this.details = { format: how.format === 'table' ? 'csv' : how.format }
  }

  /** @throws UnreadableFile */
  async * records (): AsyncGenerator<ImportRecord> {
    const { format, fields } = this.#how
    if (format !== 'table') {
      yield * readObjects(this.#read(text => format === 'json' ? readElements(text) : readLines(text)), fields)
      return
    }
    const rows = this.#rows()
    try {
      const { first, sources, rest } = await this.#readHeadings(rows)
      assertComplete(first, sources, fields)
      this.#add({ mapping: describeSources(first.cells, sources) })
      yield * readTable(rest, sources, { width: first.cells.length, fields })
    } finally {
      await rows.return(undefined)
    }
  }

  /** Reads the beginning of a table; of JSON, nothing. @throws UnreadableFile */
  async preview (): Promise<ImportPreview> {
    if (this.#how.format !== 'table') return { ...this.details, headings: [], rows: [], mapping: {}, missing: [], suggested: {} }
    const rows = this.#rows()
    try {
      const { first: { cells: headings }, sources, rest } = await this.#readHeadings(rows)
      const missing = fieldNames.filter(name => sources[name] === undefined)
      const found: string[][] = []
      for await (const row of rest) {
        if ('cells' in row) found.push([...row.cells])
        if (found.length === MAX_PREVIEWED) break
      }
      const mapping = describeSources(headings, sources)
      const sheets = this.#sheets === undefined ? {} : { sheets: this.#sheets }
      return { ...this.details, ...sheets, headings: [...headings], rows: found, mapping, missing, suggested: suggest(headings, missing) }
    } finally {
      await rows.return(undefined)
    }
  }

  async #readHeadings (rows: Rows): Promise<{ first: Row, sources: Sources, rest: AsyncIterable<Row | Oversized> }> {
    const { first, isSkipping, rest } = await findHeadings(rows)
    if (first === undefined) throw new UnreadableFile(null, 'The file is empty. The first line must name the columns.', { reason: 'empty' })
    if ('limit' in first) throw UnreadableFile.oversized(first)
    const sources = findSources(first, this.#how.mapping)
    if (isSkipping) this.#add({ headingsLine: first.line })
    return { first, sources, rest }
  }

  #rows (): Rows {
    return this.#read<Row | Oversized>((text, head) => {
      if (isJson(head)) {
        throw new UnreadableFile(null, 'This is JSON. Send it as application/json, or as application/x-ndjson if each line is a record.', {
          reason: 'json'
        })
      }
      if (this.#how.sheet !== undefined) {
        throw new UnreadableFile(null, 'The file is not a workbook and has no sheets. Leave sheet out.', { reason: 'no-sheet' })
      }
      return readRows(text, delimiter => { this.#add({ delimiter }) })
    }, body => this.#readWorkbook(body))
  }

  async * #readWorkbook (body: AsyncIterable<Buffer>): Rows {
    const leave = this.#how.acquireWorkbook()
    if (leave === null) throw serviceOverloaded('Too many workbooks are being read. Try again in a moment, or save the table as CSV.')
    try {
      // Its packages are loaded with the first workbook.
      const { readWorkbook } = await import('@frontdesk/service-kit/records/xlsx/workbook')
      yield * readWorkbook(body, this.#how.sheet, (sheet, sheets) => {
        this.#add({ format: 'xlsx', sheet })
        this.#sheets = sheets
      })
    } catch (error) {
      if (!(error instanceof SpoolError)) throw error
      throw serviceOverloaded('There is no room for the workbook. Try again later, or save the table as CSV.', { cause: error })
    } finally {
      leave()
    }
  }

  #read<T> (
    read: (text: AsyncIterable<Buffer>, head: Buffer) => AsyncIterable<T>,
    zip: (body: AsyncIterable<Buffer>) => AsyncIterable<T> = () => { throw new UnreadableFile(null, NOT_JSON, { reason: 'not-json' }) }
  ): AsyncGenerator<T> {
    const { isPacked, charset } = this.#how
    return readByKind(this.#body, isPacked, {
      text: (body, head) => read(readText(readSlices(body), head, charset, charset => { this.#add({ charset }) }), head),
      zip
    })
  }

  #add (details: Partial<FileDetails>) {
    this.details = { ...this.details, ...details }
  }
}

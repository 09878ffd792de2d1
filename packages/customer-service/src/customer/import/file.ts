import { isJson } from '@frontdesk/service-kit/records/kind'
import { readByKind } from '@frontdesk/service-kit/records/by-kind'
import { readText } from '@frontdesk/service-kit/records/charset'
import { readRows, type Row } from '@frontdesk/service-kit/records/csv'
import { readElements, readLines } from '@frontdesk/service-kit/records/json'
import { UnreadableFile, type Oversized } from '@frontdesk/service-kit/records/record'
import { readSlices } from '@frontdesk/service-kit/records/slices'
import { fieldNames } from '../fields.js'
import type { FileDetails, ImportPreview } from './details.js'
import { assertComplete, describeSources, findSources, suggest, type Sources } from './headings.js'
import type { Mapping } from './mapping.js'
import { readObjects, readTable, type ImportRecord } from './records.js'

/** Media types of files with customers, and their formats. */
export const formats = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson', 'application/json': 'json' } as const

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
}

type Rows = AsyncGenerator<Row | Oversized>

/** A file with customers, which can be read once. */
export class ImportFile {
  readonly #body: AsyncIterable<Buffer>
  readonly #how: HowToRead
  /** What was found out so far. */
  details: FileDetails

  constructor (body: AsyncIterable<Buffer>, how: HowToRead) {
    this.#body = body
    this.#how = how
    this.details = { format: how.format }
  }

  /** @throws UnreadableFile */
  async * records (): AsyncGenerator<ImportRecord> {
    const { format } = this.#how
    if (format !== 'csv') {
      yield * readObjects(this.#read(text => format === 'json' ? readElements(text) : readLines(text)))
      return
    }
    const rows = this.#rows()
    try {
      const { first, sources } = await this.#readHeadings(rows)
      assertComplete(first, sources)
      this.#add({ mapping: describeSources(first.cells, sources) })
      yield * readTable(rows, sources, first.cells.length)
    } finally {
      await rows.return(undefined)
    }
  }

  /** Reads the beginning of a table; of JSON, nothing. @throws UnreadableFile */
  async preview (): Promise<ImportPreview> {
    if (this.#how.format !== 'csv') return { ...this.details, headings: [], rows: [], mapping: {}, missing: [], suggested: {} }
    const rows = this.#rows()
    try {
      const { first: { cells: headings }, sources } = await this.#readHeadings(rows)
      const missing = fieldNames.filter(name => sources[name] === undefined)
      const found: string[][] = []
      for await (const row of rows) {
        if ('cells' in row) found.push([...row.cells])
        if (found.length === MAX_PREVIEWED) break
      }
      const mapping = describeSources(headings, sources)
      return { ...this.details, headings: [...headings], rows: found, mapping, missing, suggested: suggest(headings, missing) }
    } finally {
      await rows.return(undefined)
    }
  }

  async #readHeadings (rows: Rows): Promise<{ first: Row, sources: Sources }> {
    const { value: first } = await rows.next()
    if (first === undefined) throw new UnreadableFile(null, 'The file is empty. The first line must name the columns.', { reason: 'empty' })
    const sources = findSources(first, this.#how.mapping)
    // as: findSources accepts no other.
    return { first: first as Row, sources }
  }

  #rows (): Rows {
    return this.#read((text, head) => {
      if (isJson(head)) {
        throw new UnreadableFile(null, 'This is JSON. Send it as application/json, or as application/x-ndjson if each line is a record.', {
          reason: 'json'
        })
      }
      return readRows(text, delimiter => { this.#add({ delimiter }) })
    })
  }

  #read<T> (read: (text: AsyncIterable<Buffer>, head: Buffer) => AsyncIterable<T>): AsyncGenerator<T> {
    const { isPacked, charset } = this.#how
    return readByKind(this.#body, isPacked, {
      text: (body, head) => read(readText(readSlices(body), head, charset, charset => { this.#add({ charset }) }), head),
      zip: () => { throw new UnreadableFile(null, 'This is a ZIP file. Unpack it, and import the CSV file that is in it.', { reason: 'zip' }) }
    })
  }

  #add (details: Partial<FileDetails>) {
    this.details = { ...this.details, ...details }
  }
}

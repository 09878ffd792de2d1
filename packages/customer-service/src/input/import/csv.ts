import { Parser, type CsvError } from 'csv-parse'
import { MAX_RECORD, UnreadableFile } from './unreadable.js'

/** A line of cells; `line` is where it begins, as an editor counts. */
export interface Row { readonly line: number, readonly cells: readonly string[] }

const DELIMITERS = [',', ';', '\t']

const SENTENCES: Partial<Record<CsvError['code'], string>> = {
  CSV_MAX_RECORD_SIZE: `begins a record of more than ${MAX_RECORD} characters, or has a quote that is not closed.`,
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is not closed.',
  CSV_INVALID_CLOSING_QUOTE: 'has text after a closing quote. Write a quote within a cell twice.',
  INVALID_OPENING_QUOTE: 'has a quote within a cell that is not quoted. Quote the cell, and write the quote twice.'
}

/**
 * Reads CSV (RFC 4180) with any line break, and with the delimiter of its first line: comma, semicolon or TAB. Skips empty
 * lines.
 * @throws UnreadableFile
 */
export async function * readRows (body: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let line = 1
  let parser: RowParser | undefined
  for await (const bytes of withFirstLine(body)) {
    parser ??= new RowParser(delimiterOf(bytes))
    const error = await write(parser, bytes)
    yield * rows(parser.takeRows())
    if (error !== null) throw explain(error)
  }
  if (parser === undefined) return
  const error = await end(parser)
  yield * rows(parser.takeRows())
  if (error !== null) throw explain(error)

  function * rows (found: string[][]): Generator<Row> {
    for (const cells of found) {
      if (cells.length > 1 || cells[0] !== '') yield { line, cells }
      line += 1 + breaksIn(cells)
    }
  }

  function explain (error: Error) {
    // as: the parser's errors have codes.
    const { code, message } = error as CsvError
    return new UnreadableFile(line, SENTENCES[code] ?? `is not CSV: ${message}`, { cause: error })
  }
}

/** The parser counts CR LF in a cell as two lines. */
function breaksIn (cells: readonly string[]): number {
  return cells.reduce((sum, cell) => /[\r\n]/.test(cell) ? sum + (cell.match(/\r\n?|\n/g)?.length ?? 0) : sum, 0)
}

/** Keeps rows apart from its stream of objects: an error would discard those before it. */
class RowParser extends Parser {
  #rows: string[][] = []
  // as: it is only declared as read-only.
  readonly #counts = this.info as { records: number }

  constructor (delimiter: string) {
    super({ delimiter, record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true, max_record_size: MAX_RECORD })
    // Each error is returned by the write that meets it.
    this.on('error', () => {}).resume()
  }

  override push (row: string[] | null): boolean {
    if (row === null) return super.push(null)
    this.#rows.push(row)
    // The parser makes an error for each row that is not as long as the first, even though it allows them: this one is the first.
    this.#counts.records = 0
    return true
  }

  takeRows (): string[][] {
    return this.#rows.splice(0)
  }
}

async function write (parser: RowParser, bytes: Buffer) {
  return await new Promise<Error | null>(resolve => { parser.write(bytes, error => resolve(error ?? null)) })
}

async function end (parser: RowParser) {
  return await new Promise<Error | null>(resolve => {
    parser.once('error', resolve).once('end', () => resolve(null))
    parser.end()
  })
}

/** Joins the first parts, until they have a whole line. */
async function * withFirstLine (body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let first: Buffer | null = Buffer.alloc(0)
  for await (const bytes of body) {
    if (first === null) {
      yield bytes
      continue
    }
    first = Buffer.concat([first, bytes])
    if (!/[\r\n]/.test(first.toString('latin1')) && first.length <= MAX_RECORD) continue
    yield first
    first = null
  }
  if (first !== null && first.length > 0) yield first
}

/** The delimiter that the first line has most of, outside quotes. */
function delimiterOf (bytes: Buffer): string {
  const [line = ''] = bytes.toString('utf8', 0, MAX_RECORD).replace(/"[^"]*"/g, '').split(/[\r\n]/)
  const counts = DELIMITERS.map(delimiter => ({ delimiter, count: line.split(delimiter).length }))
  return counts.reduce((best, it) => it.count > best.count ? it : best).delimiter
}

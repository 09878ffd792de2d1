import { afterHead } from './after-head.js'
import { EXCEL_HINT, findDelimiter, isSample } from './delimiter.js'
import { MAX_CELLS, RecordBytes, type Oversized, UnreadableFile } from './record.js'

/** A record; `line` is where it begins, as editors count. */
export interface Row { readonly line: number, readonly cells: readonly string[] }

const [LF, CR, QUOTE, EQUALS] = [0x0a, 0x0d, 0x22, 0x3d] as const

/** Position of the next byte in its cell; `equals`: after the first byte of a cell such as `="007"`, which Excel reads as text. */
type State = 'start' | 'equals' | 'plain' | 'quoted' | 'closed'

/**
 * Reads CSV (RFC 4180) with any line breaks. The first lines decide the delimiter: comma, semicolon, TAB or `|`, or what Excel's
 * line `sep=` says. Skips lines without values. Holds at most one record, and nothing of one that is too long.
 * @param onDelimiter called before the first row
 * @throws UnreadableFile
 */
export function readRows (body: AsyncIterable<Buffer>, onDelimiter = (_delimiter: string) => {}): AsyncGenerator<Row | Oversized> {
  return afterHead(body, isSample, async function * (head, all) {
    const delimiter = findDelimiter(head)
    onDelimiter(String.fromCharCode(delimiter))
    const splitter = new RowSplitter(delimiter)
    for await (const bytes of all) yield * splitter.split(bytes)
    yield * splitter.end()
  })
}

class RowSplitter {
  readonly #delimiter: number
  #isFirst = true
  #state: State = 'start'
  #line = 1
  #previous = 0
  /** First line of the current record, and offsets of the ends of its cells. */
  #begin = 1
  #ends: number[] = []
  readonly #record = new RecordBytes()

  constructor (delimiter: number) {
    this.#delimiter = delimiter
  }

  /** @param at offset in the record */
  #read (byte: number, at: number) {
    if (this.#state === 'quoted') {
      if (byte === QUOTE) this.#state = 'closed'
    } else if (byte === QUOTE) {
      if (this.#state === 'plain') {
        throw new UnreadableFile(this.#begin, 'has a quote within a cell that is not quoted. Quote the cell, and write the quote twice.', {
          reason: 'quote-in-cell'
        })
      }
      // The second of two quotes reopens the cell.
      this.#state = 'quoted'
    } else if (byte === this.#delimiter) {
      this.#state = 'start'
      if (this.#ends.length < MAX_CELLS) this.#ends.push(at)
    } else if (this.#state === 'closed') {
      throw new UnreadableFile(this.#begin, 'has text after a closing quote. Write a quote within a cell twice.', {
        reason: 'text-after-quote'
      })
    } else this.#state = this.#state === 'start' && byte === EQUALS ? 'equals' : 'plain'
  }

  /** Yields the rows that end in these bytes. */
  * split (bytes: Buffer): Generator<Row | Oversized> {
    let start = 0
    for (let at = 0; at < bytes.length; at++) {
      // !: within the buffer.
      const byte = bytes[at]!
      const isBreak = byte === LF || byte === CR
      const isSecondOfTwo = byte === LF && this.#previous === CR
      if (isBreak && !isSecondOfTwo) this.#line++
      this.#previous = byte
      if (!isBreak || this.#state === 'quoted') {
        this.#read(byte, this.#record.length + at - start)
        continue
      }
      if (!isSecondOfTwo) {
        const row = this.#finish(bytes.subarray(start, at))
        if (row !== undefined) yield row
      }
      start = at + 1
      this.#begin = this.#line
    }
    this.#record.add(bytes.subarray(start))
  }

  /** Yields the last row if no line break follows it. */
  * end (): Generator<Row | Oversized> {
    if (this.#state === 'quoted') throw new UnreadableFile(this.#begin, 'has a quote that is not closed.', { reason: 'open-quote' })
    const row = this.#finish(Buffer.alloc(0))
    if (row !== undefined) yield row
  }

  /** Ends the record. @returns `undefined` if it is empty */
  #finish (last: Buffer): Row | Oversized | undefined {
    this.#record.add(last)
    this.#state = 'start'
    if (this.#record.length === 0) return undefined
    const [line, ends, record] = [this.#begin, this.#ends, this.#record.take()]
    this.#ends = []
    if (record === null) return { line, limit: 'bytes' }
    if (ends.length === MAX_CELLS) return { line, limit: 'cells' }
    const [cells, isFirst] = [cut(record, ends), this.#isFirst]
    if (cells.every(cell => cell.trim() === '')) return undefined
    this.#isFirst = false
    return isFirst && EXCEL_HINT.test(record.toString()) ? undefined : { line, cells }
  }
}

/** Cuts a record into its cells. */
function cut (record: Buffer, ends: readonly number[]): string[] {
  let start = 0
  return [...ends, record.length].map(end => {
    const cell = record[start] === QUOTE && end > start
      ? record.toString('utf8', start + 1, end - 1).replaceAll('""', '"')
      : record.toString('utf8', start, end)
    start = end + 1
    return cell
  })
}

import { MAX_RECORD_BYTES, UnreadableFile } from '../record.js'
import { parseWhole, type Reader } from './xml.js'

/** Maximum memory of the texts of a workbook. */
const MAX_BYTES = 64 * 1_024 ** 2

const BYTES_PER_END = 4

/** The shared texts of a workbook, in two blocks of memory. */
export class StringTable {
  #bytes = Buffer.alloc(1_024)
  #ends = new Uint32Array(256)
  #count = 0

  /** @throws UnreadableFile if they are too many */
  add (text: string): void {
    const start = this.#endOf(this.#count - 1)
    const length = Buffer.byteLength(text)
    if (start + length + BYTES_PER_END * this.#count > MAX_BYTES) {
      throw new UnreadableFile(null, 'The workbook has more than 64 MB of texts. Save its table as CSV, whose size is unlimited.', {
        reason: 'workbook-large'
      })
    }
    if (start + length > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], Math.max(start + length, 2 * this.#bytes.length))
    if (this.#count === this.#ends.length) {
      const before = this.#ends
      this.#ends = new Uint32Array(2 * before.length)
      this.#ends.set(before)
    }
    this.#bytes.write(text, start)
    this.#ends[this.#count++] = start + length
  }

  /** The text at a position; empty if there is none. */
  at (index: number): string {
    return index >= 0 && index < this.#count ? this.#bytes.toString('utf8', this.#endOf(index - 1), this.#endOf(index)) : ''
  }

  #endOf (index: number): number {
    return this.#ends[index] ?? 0
  }
}

/** Collects the text of a cell or a shared text: its parts, without the reading of Japanese ones. Keeps what a record can have. */
export class TextCollector {
  #text = ''
  #isText = false
  #isReading = false

  open (name: string): void {
    if (name === 'rPh') this.#isReading = true
    else if (name === 't' || name === 'v') this.#isText = !this.#isReading
  }

  text (text: string): void {
    if (this.#isText && this.#text.length <= MAX_RECORD_BYTES) this.#text += text
  }

  close (name: string): void {
    if (name === 'rPh') this.#isReading = false
    else if (name === 't' || name === 'v') this.#isText = false
  }

  take (): string {
    const text = this.#text.slice(0, MAX_RECORD_BYTES + 1)
    this.#text = ''
    return text
  }
}

/** Reads the shared texts of a workbook. @throws UnreadableFile */
export async function readStrings (document: AsyncIterable<Buffer>): Promise<StringTable> {
  const table = new StringTable()
  const collector = new TextCollector()
  const reader: Reader = {
    open: name => collector.open(name),
    text: text => collector.text(text),
    close: name => {
      collector.close(name)
      if (name === 'si') table.add(unescapeText(collector.take()))
    }
  }
  await parseWhole(document, reader)
  return table
}

/** Decodes characters that XML cannot have, as in `_x000D_`. */
export function unescapeText (text: string): string {
  return text.includes('_x') ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16))) : text
}

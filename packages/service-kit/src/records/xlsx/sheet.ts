import type { Row } from '../csv.js'
import { MAX_CELLS, MAX_RECORD_BYTES, type Oversized } from '../record.js'
import { formatNumber, type NumberFormat } from './number-format.js'
import { TextCollector, unescapeText, type StringTable } from './strings.js'
import { parseXml, type Attributes, type Reader } from './xml.js'

/** What cells refer to. */
export interface CellContext {
  readonly strings: StringTable
  readonly formats: readonly NumberFormat[]
  readonly calendar: 1900 | 1904
}

/**
 * Reads the rows of a sheet that have values, as wide as the first one. Holds few, and nothing of one that is too long.
 * @throws UnreadableFile
 */
export function readSheet (document: AsyncIterable<Buffer>, context: CellContext): AsyncGenerator<Row | Oversized> {
  const reader = new RowReader(context)
  return parseXml(document, reader, () => reader.take())
}

class RowReader implements Reader {
  readonly #context: CellContext
  #rows: Array<Row | Oversized> = []
  #line = 0
  #width = 0
  #cells: string[] = []
  #bytes = 0
  #limit: Oversized['limit'] | undefined
  /** Of the current cell. */
  #column = -1
  #attributes: Attributes = {}
  readonly #text = new TextCollector()

  constructor (context: CellContext) {
    this.#context = context
  }

  /** The rows that are complete. */
  take (): Array<Row | Oversized> {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  open (name: string, attributes: Attributes): void {
    if (name === 'row') this.#line = Math.max(this.#line + 1, numberOf(attributes.r))
    else if (name === 'c') {
      this.#attributes = attributes
      this.#column = columnOf(attributes.r) ?? this.#column + 1
    } else this.#text.open(name)
  }

  text (text: string): void {
    this.#text.text(text)
  }

  close (name: string): void {
    if (name === 'row') this.#finishRow()
    else if (name === 'c') this.#finishCell()
    else this.#text.close(name)
  }

  #finishCell () {
    const value = this.#read(this.#text.take())
    if (value === '' || this.#limit !== undefined) return
    this.#bytes += Buffer.byteLength(value)
    if (this.#column >= MAX_CELLS) this.#limit = 'cells'
    else if (this.#bytes > MAX_RECORD_BYTES) this.#limit = 'bytes'
    else {
      while (this.#cells.length < this.#column) this.#cells.push('')
      this.#cells[this.#column] = value
    }
  }

  #read (text: string): string {
    const { strings, formats, calendar } = this.#context
    switch (this.#attributes.t) {
      case 's': return text === '' ? '' : strings.at(Number(text))
      case 'str':
      case 'inlineStr': return unescapeText(text)
      case 'b': return text === '1' ? 'TRUE' : 'FALSE'
      case 'd':
      case 'e': return text
      default: return formatNumber(text, formats[Number(this.#attributes.s ?? 0)] ?? 'general', calendar)
    }
  }

  #finishRow () {
    const [line, cells, limit] = [this.#line, this.#cells, this.#limit]
    this.#cells = []
    this.#limit = undefined
    this.#bytes = 0
    this.#column = -1
    if (limit !== undefined) this.#rows.push({ line, limit })
    else if (cells.some(cell => cell.trim() !== '')) {
      if (this.#width === 0) this.#width = cells.length
      while (cells.length < this.#width) cells.push('')
      this.#rows.push({ line, cells })
    }
  }
}

/** The number of a row; 0 if it has none. */
function numberOf (row = ''): number {
  return /^\d{1,7}$/.test(row) ? Number(row) : 0
}

/** The column of a cell's name, from 0: 27 for AB7. */
function columnOf (name = ''): number | undefined {
  const letters = /^([A-Z]{1,3})\d/.exec(name)?.[1]
  return letters === undefined ? undefined : [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1
}

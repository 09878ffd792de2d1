/** Maximum size of a record in the file, even of an empty one. */
const MAX_RECORD_BYTES = 65_536

/** Maximum cells of a record. */
export const MAX_CELLS = 1_000

/** The limits, in words. */
export const limits = {
  bytes: `${MAX_RECORD_BYTES.toLocaleString('en')} bytes`,
  cells: `${MAX_CELLS.toLocaleString('en')} cells`
}

/** A record that was skipped because it exceeds a limit; `line` is where it begins, as editors count. */
export interface Oversized { readonly line: number, readonly limit: string }

/** The bytes of the current record. Keeps nothing of one that is too long. */
export class RecordBytes {
  #parts: Buffer[] = []
  #length = 0

  get length (): number {
    return this.#length
  }

  add (part: Buffer): void {
    if (part.length === 0) return
    this.#length += part.length
    if (this.#length > MAX_RECORD_BYTES) this.#parts = []
    else this.#parts.push(part)
  }

  /** Returns the record and starts the next one; `null` if it was too long. */
  take (): Buffer | null {
    const [parts, length] = [this.#parts, this.#length]
    this.#parts = []
    this.#length = 0
    if (length > MAX_RECORD_BYTES) return null
    // !: there is one.
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }
}

/** A file that cannot be read further; `message` has the reason. */
export class UnreadableFile extends Error {
  /** @param line from 1, as editors count; `null`: the whole file @param what the sentence, after the line */
  constructor (line: number | null, what: string, options?: ErrorOptions) {
    super(line === null ? what : `Line ${line} ${what}`, options)
  }
}

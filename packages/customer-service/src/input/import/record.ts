/** Limit of a record as it is in the file, in bytes, also of one that holds nothing. */
const MAX_RECORD_BYTES = 65_536

/** Limit of the cells of a record. */
export const MAX_CELLS = 1_000

/** Limits of a record, in words. */
export const limits = {
  bytes: `${MAX_RECORD_BYTES.toLocaleString('en')} bytes`,
  cells: `${MAX_CELLS.toLocaleString('en')} cells`
}

/** A record that is beyond a limit and was skipped; `line` is where it begins, as an editor counts. */
export interface Oversized { readonly line: number, readonly limit: string }

/** The bytes of the record that is being read. Of one that is too long, nothing is kept while its end is looked for. */
export class RecordBytes {
  #parts: Buffer[] = []
  #length = 0

  /** How many bytes the record has so far. */
  get length (): number {
    return this.#length
  }

  add (part: Buffer): void {
    if (part.length === 0) return
    this.#length += part.length
    if (this.#length > MAX_RECORD_BYTES) this.#parts = []
    else this.#parts.push(part)
  }

  /** Ends the record, and begins the next one. @returns `null` if it was too long */
  take (): Buffer | null {
    const [parts, length] = [this.#parts, this.#length]
    this.#parts = []
    this.#length = 0
    if (length > MAX_RECORD_BYTES) return null
    // !: there is one.
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  }
}

/** A file that cannot be read any further: `message` says where and why, in a sentence. */
export class UnreadableFile extends Error {
  /** @param line as an editor counts it, from 1 @param what the rest of a sentence that begins with the line */
  constructor (line: number, what: string, options?: ErrorOptions) {
    super(`Line ${line} ${what}`, options)
  }
}

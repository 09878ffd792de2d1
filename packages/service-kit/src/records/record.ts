/** Maximum size of a record in the file, even of an empty one. */
export const MAX_RECORD_BYTES = 65_536

/** Maximum cells of a record. */
export const MAX_CELLS = 1_000

/** The limits of a record. */
export const limits = { bytes: MAX_RECORD_BYTES, cells: MAX_CELLS } as const

/** A record that was skipped because it exceeds a limit; `line` is where it begins, as editors count. */
export interface Oversized { readonly line: number, readonly limit: keyof typeof limits }

/** A limit in English, such as "65,536 bytes". */
export function limitInWords (limit: keyof typeof limits): string {
  return `${limits[limit].toLocaleString('en')} ${limit}`
}

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

/** Why a file cannot be read further, for other languages: a name, such as `not-utf8`, and the values of its sentence. */
export type FileFault = { readonly reason: string } & Readonly<Record<string, string | number>>

/** A file that cannot be read further; `message` has the reason in English. */
export class UnreadableFile extends Error {
  /** With `line`, unless it is the whole file. */
  readonly fault: FileFault

  /** @param line from 1, as editors count; `null`: the whole file @param what the sentence, after the line */
  constructor (line: number | null, what: string, fault: FileFault, options?: ErrorOptions) {
    super(line === null ? what : `Line ${line} ${what}`, options)
    this.fault = line === null ? fault : { ...fault, line }
  }

  /** Makes the error for headings that are too long. */
  static oversized ({ line, limit }: Oversized): UnreadableFile {
    const reason = limit === 'bytes' ? 'too-long' : 'too-many-cells'
    return new UnreadableFile(line, `must have at most ${limitInWords(limit)}.`, { reason, maximum: limits[limit] })
  }
}

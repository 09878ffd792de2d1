import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Entry, ZipFile } from 'yauzl'
import { UnreadableFile } from '../record.js'
import { assertUnpacked } from '../unpacked.js'

/** Maximum files of an archive; a workbook has some dozens. */
const MAX_ENTRIES = 10_000

const READ_BYTES = 65_536

/** Reads the files of a ZIP archive. */
export class Archive {
  readonly #zip: ZipFile
  readonly #entries: ReadonlyMap<string, Entry>
  /** Size of the files that were opened. */
  #unpacked = 0

  private constructor (zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /** @throws UnreadableFile */
  static async open (file: FileHandle, size: number): Promise<Archive> {
    const { default: yauzl } = await import('yauzl')
    class Reader extends yauzl.RandomAccessReader {
      override _readStreamForRange (start: number, end: number) {
        return Readable.from(readRange(file, start, end), { objectMode: false })
      }
    }
    try {
      const zip = await yauzl.fromRandomAccessReaderPromise(new Reader(), size, { autoClose: false })
      if (zip.entryCount > MAX_ENTRIES) throw new Error('too many entries')
      const entries = new Map<string, Entry>()
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName.toLowerCase(), entry)
      return new Archive(zip, entries)
    } catch (error) {
      throw damaged(error)
    }
  }

  get names (): string[] {
    return [...this.#entries.values()].map(({ fileName }) => fileName)
  }

  /** @param name in any case */
  has (name: string): boolean {
    return this.#entries.has(name.toLowerCase())
  }

  /**
   * Reads a file, of which no more than its declared size is read.
   * @param name in any case
   * @throws UnreadableFile if it is damaged or too large when decompressed
   */
  async * read (name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name.toLowerCase())
    if (entry === undefined) throw damaged()
    if (entry.isEncrypted()) {
      throw new UnreadableFile(null, 'The file has a password. Save it without one, and import that file.', { reason: 'password' })
    }
    assertUnpacked(entry.uncompressedSize, entry.compressedSize)
    this.#unpacked += entry.uncompressedSize
    assertUnpacked(this.#unpacked, Infinity)
    try {
      yield * await this.#zip.openReadStreamPromise(entry)
    } catch (error) {
      throw damaged(error)
    }
  }
}

/** Makes the error of a broken archive. */
export function damaged (cause?: unknown): UnreadableFile {
  const sentence = 'The workbook is damaged or incomplete. Open it in Excel, save it again as .xlsx, and import that file.'
  return new UnreadableFile(null, sentence, { reason: 'workbook-damaged' }, { cause })
}

async function * readRange (file: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let position = start; position < end;) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(Math.min(READ_BYTES, end - position)), position })
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { CommandError } from './errors.js'

const CHUNK_BYTES = 65_536

/** A file or stream to import. */
export interface Source {
  /** In bytes; `undefined` if it can be read only once, as a pipe. */
  readonly size: number | undefined
  /** Reads it from the beginning. @throws CommandError */
  read: () => AsyncGenerator<Buffer>
  close: () => Promise<void>
}

/** Opens a file, or standard input: `-`. @throws CommandError if it cannot be opened */
export async function openSource (name: string): Promise<Source> {
  const fail = ({ message }: Error) => { throw new CommandError(`${name} cannot be read: ${message}.`) }
  if (name === '-') return { size: undefined, read: () => guarded(process.stdin, fail), close: async () => {} }
  const file = await open(name).catch(fail)
  const stats = await file.stat()
  const size = stats.isFile() ? stats.size : undefined
  return { size, read: () => guarded(readChunks(file, size === undefined ? null : 0), fail), close: async () => await file.close() }
}

/** Makes a key from the contents of a file, so that a repeated import has the same one. @param how options that decide it, too */
export async function contentKey (
  source: Pick<Source, 'read'>, how: readonly string[], onRead: (bytes: number) => void = () => {}
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(how))
  for await (const bytes of source.read()) {
    onRead(bytes.length)
    hash.update(bytes)
  }
  return hash.digest('base64url')
}

/** @param start position in the file; `null` for a pipe */
async function * readChunks (file: FileHandle, start: number | null): AsyncGenerator<Buffer> {
  for (let position = start; ;) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(CHUNK_BYTES), position })
    if (bytesRead === 0) return
    if (position !== null) position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function * guarded (stream: AsyncIterable<unknown>, fail: (error: Error) => never): AsyncGenerator<Buffer> {
  try {
    // as: no encoding is set.
    yield * stream as AsyncIterable<Buffer>
  } catch (error) {
    // as: streams throw errors.
    fail(error as Error)
  }
}

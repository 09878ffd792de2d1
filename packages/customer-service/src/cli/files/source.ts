import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { CommandError } from '@frontdesk/service-kit/cli/errors'

/** How much is read at once, in bytes. */
const PART_SIZE = 65_536

/** What is imported. */
export interface Source {
  /** In bytes; `undefined` for what can be read only once, such as a pipe. */
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
  return { size, read: () => guarded(readParts(file, size === undefined ? null : 0), fail), close: async () => await file.close() }
}

/** An Idempotency-Key that the same file has again, and no other one. */
export async function keyOf (source: Source, how: readonly string[], onRead: (bytes: number) => void): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(how))
  for await (const bytes of source.read()) {
    onRead(bytes.length)
    hash.update(bytes)
  }
  return hash.digest('base64url')
}

/** @param start position in the file; `null` for what has none */
async function * readParts (file: FileHandle, start: number | null): AsyncGenerator<Buffer> {
  for (let position = start; ;) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(PART_SIZE), position })
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
    // as: a stream throws errors.
    fail(error as Error)
  }
}

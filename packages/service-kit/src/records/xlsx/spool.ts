import { randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UnreadableFile } from '../record.js'

/** Maximum size of a workbook. */
const MAX_BYTES = 100 * 1_024 ** 2

/** The folder for temporary files has no room, or cannot be written to. */
export class SpoolError extends Error {}

/**
 * Writes a body to a temporary file without a name, which the system removes when the process closes it or dies.
 * @returns the file, to be closed by the caller, and its size
 * @throws UnreadableFile if it is too large; {@link SpoolError}
 */
export async function spool (body: AsyncIterable<Buffer>): Promise<{ file: FileHandle, size: number }> {
  const file = await create().catch(fail)
  let size = 0
  try {
    for await (const bytes of body) {
      if (size + bytes.length > MAX_BYTES) {
        throw new UnreadableFile(null, 'The workbook has more than 100 MB. Save its table as CSV, whose size is unlimited.', {
          reason: 'workbook-large'
        })
      }
      // Unlike write, it fails if there is room for a part of the bytes only.
      await file.appendFile(bytes).catch(fail)
      size += bytes.length
    }
    return { file, size }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function create (): Promise<FileHandle> {
  const path = join(tmpdir(), `frontdesk-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

function fail (cause: Error): never {
  throw new SpoolError(`a temporary file cannot be written: ${cause.message}`, { cause })
}

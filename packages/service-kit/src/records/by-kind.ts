import { afterHead } from './after-head.js'
import { gunzip } from './gunzip.js'
import { findKind, KIND_BYTES } from './kind.js'
import { UnreadableFile } from './record.js'

/** Reads a body. @param head its first bytes */
type Reader<T> = (body: AsyncIterable<Buffer>, head: Buffer) => AsyncIterable<T>

/**
 * Reads a file by what its first bytes say that it is, even if it is compressed with gzip.
 * @param isPacked whether its sender says that it is compressed
 * @throws UnreadableFile with what it is and what to do
 */
export function readByKind<T> (
  body: AsyncIterable<Buffer>, isPacked: boolean, readers: Readonly<Record<'text' | 'zip', Reader<T>>>
): AsyncGenerator<T> {
  return readUnpacked(isPacked ? gunzip(body) : body, isPacked)

  function readUnpacked (body: AsyncIterable<Buffer>, wasPacked: boolean): AsyncGenerator<T> {
    return afterHead(body, head => head.length >= KIND_BYTES, (head, all) => {
      const kind = findKind(head)
      if (kind === 'text' || kind === 'zip') return readers[kind](all, head)
      if (kind === 'gzip' && !wasPacked) return readUnpacked(gunzip(all), true)
      if (kind !== 'gzip') throw new UnreadableFile(null, kind.refusal, kind.fault)
      throw new UnreadableFile(null, 'The file is compressed twice. Decompress it, and send it again.', { reason: 'packed-twice' })
    })
  }
}

import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { UnreadableFile } from './record.js'
import { assertUnpacked } from './unpacked.js'

/** Decompresses gzip (RFC 1952), within the bounds of {@link assertUnpacked}. @throws UnreadableFile */
export async function * gunzip (body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [packed, unpacked] = [0, 0]
  const source = Readable.from(count(body), { objectMode: false })
  // An error of the source arrives in the loop.
  const unzip = pipeline(source, createGunzip(), () => {})
  try {
    for await (const bytes of unzip) {
      unpacked += bytes.length
      assertUnpacked(unpacked, packed)
      yield bytes
    }
  } catch (error) {
    // as: errors of Node.js have a code.
    const isZlib = error instanceof Error && /^(Z_|ERR_ZLIB)/.test((error as NodeJS.ErrnoException).code ?? '')
    if (!isZlib) throw error
    throw new UnreadableFile(null, 'The compressed file is damaged or incomplete. Compress it again, or send it without compression.', {
      reason: 'damaged'
    }, { cause: error })
  }

  async function * count (body: AsyncIterable<Buffer>) {
    for await (const bytes of body) {
      packed += bytes.length
      yield bytes
    }
  }
}

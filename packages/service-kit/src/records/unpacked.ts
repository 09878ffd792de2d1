import { UnreadableFile } from './record.js'

/** Maximum size of a decompressed file. */
const MAX_UNPACKED = 1_024 ** 3

/** Maximum ratio of the sizes of a file after and before decompression, from {@link MIN_COMPARED} on. */
const MAX_RATIO = 100
const MIN_COMPARED = 10 * 1_024 ** 2

/** @throws UnreadableFile if a file is too large when decompressed, or grows as only prepared files do */
export function assertUnpacked (unpacked: number, packed: number): void {
  if (unpacked > MAX_UNPACKED) {
    throw new UnreadableFile(null, 'The file has more than 1 GB when it is decompressed. Import it in parts.', { reason: 'unpacked-large' })
  }
  if (unpacked > MIN_COMPARED && unpacked > packed * MAX_RATIO) {
    throw new UnreadableFile(null, `The file grows more than ${MAX_RATIO} times when it is decompressed. ` +
      'Send it without compression, or save it as CSV.', { reason: 'unpacked-ratio', maximum: MAX_RATIO })
  }
}

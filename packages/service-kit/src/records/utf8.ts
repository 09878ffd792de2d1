import { isAscii, isUtf8 } from 'node:buffer'
import { UnreadableFile } from './record.js'

const BOM = Buffer.from([0xef, 0xbb, 0xbf])
const LF = 0x0a

/**
 * Passes on UTF-8 without a byte order mark, cut between characters.
 * @param decode decodes the rest of a file whose first character beyond ASCII is not UTF-8
 * @throws UnreadableFile at the first invalid byte
 */
export async function * readUtf8 (body: AsyncIterable<Buffer>, decode?: (bytes: Buffer) => Buffer): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let [isStart, isOnlyAscii, isUtf] = [true, true, true]
  let line = 1
  for await (const bytes of body) {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    const end = isUtf ? startOfLast(all) : all.length
    rest = all.subarray(end)
    if (end === 0) continue
    const part = check(all.subarray(0, end))
    if (part.length > 0) yield part
  }
  const part = check(rest)
  if (part.length > 0) yield part

  function check (part: Buffer): Buffer {
    if (isUtf && !isUtf8(part)) {
      if (decode === undefined || !isOnlyAscii || isUtf8(firstBeyondAscii(part))) {
        throw new UnreadableFile(findLine(part), 'is not UTF-8. Save the file in UTF-8.', { reason: 'not-utf8' })
      }
      isUtf = false
    }
    if (decode !== undefined && !isUtf) return decode(part)
    isOnlyAscii &&= isAscii(part)
    for (let at = part.indexOf(LF); at >= 0; at = part.indexOf(LF, at + 1)) line++
    const hasBom = isStart && part.subarray(0, BOM.length).equals(BOM)
    if (part.length > 0) isStart = false
    return hasBom ? part.subarray(BOM.length) : part
  }

  /** The line of the first invalid byte. */
  function findLine (part: Buffer): number {
    for (let start = 0; ; line++) {
      const next = part.indexOf(LF, start) + 1
      if (next === 0 || !isUtf8(part.subarray(start, next))) return line
      start = next
    }
  }
}

/** The bytes that would be the first character beyond ASCII. */
function firstBeyondAscii (bytes: Buffer): Buffer {
  const start = bytes.findIndex(byte => byte >= 0x80)
  // !: within the buffer. The lead byte has as many ones as the character has bytes.
  const length = Math.clz32(~(bytes[start]! << 24))
  return bytes.subarray(start, start + length)
}

/** Start of the last character if it may be incomplete, else the end. */
function startOfLast (bytes: Buffer): number {
  let start = bytes.length - 1
  // !: within the buffer.
  if (start < 0 || bytes[start]! < 0x80) return bytes.length
  // A character has at most four bytes.
  while (start > 0 && start > bytes.length - 4 && (bytes[start]! & 0xc0) === 0x80) start--
  return start
}

import { UnreadableFile } from './record.js'
import { readUtf8 } from './utf8.js'

/** The characters of windows-1252 from 0x80 to 0x9f. Some versions of Node.js decode these bytes as controls (nodejs/node#56542). */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** Whether files can be read in a charset of the Encoding standard. */
export function isKnownCharset (label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== ''
  } catch {
    return false
  }
}

/**
 * Converts a text to UTF-8 without a byte order mark.
 * @param head its first bytes
 * @param charset a known one; `undefined`: UTF-8 or UTF-16, or windows-1252 if the first character beyond ASCII is not UTF-8
 * @param onCharset called with the charset, and again if it turns out to be another one
 * @throws UnreadableFile at the first invalid byte
 */
export function readText (
  body: AsyncIterable<Buffer>, head: Buffer, charset: string | undefined, onCharset: (charset: string) => void
): AsyncGenerator<Buffer> {
  const { encoding } = new TextDecoder(charset ?? findUtf16(head) ?? 'utf-8')
  onCharset(encoding)
  if (encoding === 'windows-1252') return readByteWise(body)
  if (encoding !== 'utf-8') return readOther(body, encoding)
  return readUtf8(body, charset !== undefined
    ? undefined
    : bytes => {
      onCharset('windows-1252')
      return decode(bytes)
    })
}

/** The kind of UTF-16 that a text begins with, by its byte order mark or by zeros: the first characters of tables are mostly ASCII. */
function findUtf16 (head: Buffer): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const zeros = [...head.keys()].filter(index => head[index] === 0).map(index => index % 2)
  if (zeros.length === 0 || zeros.length < head.length / 4) return undefined
  if (zeros.every(it => it === 1)) return 'utf-16le'
  return zeros.every(it => it === 0) ? 'utf-16be' : undefined
}

async function * readByteWise (body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const bytes of body) yield decode(bytes)
}

function decode (bytes: Buffer): Buffer {
  // !: the table has a character for each.
  return Buffer.from(bytes.toString('latin1').replace(/[\x80-\x9f]/g, character => WINDOWS_1252[character.charCodeAt(0) - 0x80]!))
}

async function * readOther (body: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let line = 1
  const decodePart = (bytes: Buffer, stream: boolean) => {
    try {
      const text = decoder.decode(bytes, { stream })
      line += countLines(text)
      return Buffer.from(text)
    } catch (error) {
      const [before = ''] = new TextDecoder(encoding).decode(bytes).split('\ufffd')
      throw new UnreadableFile(line + countLines(before), `is not ${encoding}. Save the file in UTF-8.`, {
        reason: 'not-charset', charset: encoding
      }, { cause: error })
    }
  }
  for await (const bytes of body) {
    const part = decodePart(bytes, true)
    if (part.length > 0) yield part
  }
  decodePart(Buffer.alloc(0), false)
}

function countLines (text: string): number {
  return text.split('\n').length - 1
}

import { readSlices } from './slices.js'

/**
 * Reads a body whose beginning decides how it is read.
 * @param isEnough whether the beginning is long enough; a shorter file is its own beginning
 * @param read gets the beginning, and the whole body
 */
export async function * afterHead<T> (
  body: AsyncIterable<Buffer>, isEnough: (head: Buffer) => boolean, read: (head: Buffer, all: AsyncIterable<Buffer>) => AsyncIterable<T>
): AsyncGenerator<T> {
  const chunks = body[Symbol.asyncIterator]()
  // After an error, a body must not be asked to end: it would wait for its sender.
  let isOpen = true
  const next = async () => {
    isOpen = false
    const { done = false, value } = await chunks.next()
    isOpen = !done
    // as: TypeScript does not connect `done` with the type of `value`.
    return done ? undefined : value as Buffer
  }
  try {
    const head = await readHead(next, isEnough)
    yield * read(head, rest(head))
  } finally {
    if (isOpen) await chunks.return?.()
  }

  async function * rest (head: Buffer): AsyncGenerator<Buffer> {
    yield * readSlices([head])
    for (let bytes = await next(); bytes !== undefined; bytes = await next()) yield bytes
  }
}

async function readHead (next: () => Promise<Buffer | undefined>, isEnough: (head: Buffer) => boolean): Promise<Buffer> {
  const parts: Buffer[] = []
  let head: Buffer = Buffer.alloc(0)
  for (let [length, checked] = [0, 0]; ;) {
    // Rarely, because a sender can make parts of one byte.
    if (length >= 2 * checked) {
      [head, checked] = [Buffer.concat(parts), length]
      if (isEnough(head)) return head
    }
    const bytes = await next()
    if (bytes === undefined) return Buffer.concat(parts)
    parts.push(bytes)
    length += bytes.length
  }
}

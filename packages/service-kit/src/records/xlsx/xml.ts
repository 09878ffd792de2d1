import { UnreadableFile } from '../record.js'
import { readSlices } from '../slices.js'
import { damaged } from './archive.js'

/** Maximum depth of elements, and attributes of one; longer texts of markup than 64 KiB are refused by the parser. */
const [MAX_DEPTH, MAX_ATTRIBUTES] = [64, 256]

/** Attributes by their names without prefixes. */
export type Attributes = Readonly<Record<string, string | undefined>>

/** Gets what is in a document; names are without prefixes. */
export interface Reader {
  open?: (name: string, attributes: Attributes) => void
  /** Called several times for a long text. */
  text?: (text: string) => void
  close?: (name: string) => void
}

/**
 * Parses an XML document, without a document type declaration, and so without entities of its own.
 * @param take what to yield after each part that the reader got
 * @throws UnreadableFile
 */
export async function * parseXml<T> (document: AsyncIterable<Buffer>, reader: Reader, take: () => Iterable<T>): AsyncGenerator<T> {
  const parse = await createParser(reader)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of readSlices(document)) {
    parse(() => decoder.decode(bytes, { stream: true }))
    yield * take()
  }
  parse(null)
  yield * take()
}

/** Parses a document to its end. @throws UnreadableFile */
export async function parseWhole (document: AsyncIterable<Buffer>, reader: Reader): Promise<void> {
  await parseXml(document, reader, () => []).next()
}

/** @returns parses the next part; `null`: the end */
async function createParser (reader: Reader): Promise<(read: (() => string) | null) => void> {
  const { default: sax } = await import('sax')
  // With positions: without them, it would not bound its buffers.
  const parser = sax.parser(true)
  let [depth, attributes] = [0, 0]
  const refuse = (reason: string) => { throw new Error(reason) }
  parser.onerror = error => { throw error }
  parser.ondoctype = () => refuse('it has a document type declaration')
  parser.onattribute = () => { if (++attributes > MAX_ATTRIBUTES) refuse('too many attributes') }
  parser.onopentag = ({ name, attributes: found }) => {
    attributes = 0
    if (++depth > MAX_DEPTH) refuse('too many levels')
    reader.open?.(local(name), Object.fromEntries(Object.entries(found).map(([name, value]) => [local(name), String(value)])))
  }
  parser.onclosetag = name => {
    depth--
    reader.close?.(local(name))
  }
  parser.ontext = parser.oncdata = text => reader.text?.(text)
  return read => {
    try {
      if (read === null) parser.close()
      else parser.write(read())
    } catch (error) {
      throw error instanceof UnreadableFile ? error : damaged(error)
    }
  }
}

function local (name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

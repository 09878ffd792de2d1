import { MAX_RECORD, UnreadableFile } from './unreadable.js'

/** The text of one record; `line` is where it begins, as an editor counts. */
export interface JsonRecord { readonly line: number, readonly json: Buffer }

const TOO_LONG = `begins a record of more than ${MAX_RECORD} bytes.`
const NO_ARRAY = 'is not part of a JSON array of records: [{…}, {…}].'
const [LF, QUOTE, BACKSLASH, COMMA, OPEN, CLOSE, OPEN_ARRAY, CLOSE_ARRAY] = [...'\n"\\,{}[]'].map(it => it.charCodeAt(0))
const BLANKS = new Set([...' \t\r\n'].map(it => it.charCodeAt(0)))

/** Reads the lines of NDJSON; skips empty ones. @throws UnreadableFile if one is too long */
export async function * readLines (body: AsyncIterable<Buffer>): AsyncGenerator<JsonRecord> {
  let rest: Buffer = Buffer.alloc(0)
  let line = 1
  for await (const bytes of body) {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    let start = 0
    for (let end = all.indexOf(10); end >= 0; end = all.indexOf(10, start)) {
      yield * record(all.subarray(start, end))
      line++
      start = end + 1
    }
    rest = all.subarray(start)
    if (rest.length > MAX_RECORD) throw new UnreadableFile(line, TOO_LONG)
  }
  yield * record(rest)

  function * record (json: Buffer): Generator<JsonRecord> {
    if (json.length > MAX_RECORD) throw new UnreadableFile(line, TOO_LONG)
    if (json.some(byte => !BLANKS.has(byte))) yield { line, json }
  }
}

/**
 * Reads the elements of a JSON array one by one. Looks at brackets, quotes and commas only: parsing an element finds what
 * else is wrong in it.
 * @throws UnreadableFile if it is no array, ends early or an element is too long
 */
export async function * readElements (body: AsyncIterable<Buffer>): AsyncGenerator<JsonRecord> {
  // as: the compiler forgets that a loop assigns it.
  let state = 'before' as 'before' | 'between' | 'element' | 'after'
  let [line, begin, depth] = [1, 1, 0]
  let [inString, isEscaped, needsElement] = [false, false, false]
  let parts: Buffer[] = []

  for await (const bytes of body) {
    let start = 0
    for (const [at, byte] of bytes.entries()) {
      if (byte === LF) line++
      if (state === 'between' && !BLANKS.has(byte) && byte !== CLOSE_ARRAY && byte !== COMMA) {
        [state, start, begin, depth] = ['element', at, line, 0]
      }
      if (state === 'element') {
        if (inString) {
          if (isEscaped) isEscaped = false
          else if (byte === BACKSLASH) isEscaped = true
          else if (byte === QUOTE) inString = false
        } else if (byte === QUOTE) inString = true
        else if (byte === OPEN || byte === OPEN_ARRAY) depth++
        else if (depth === 0 && (byte === COMMA || byte === CLOSE_ARRAY)) {
          yield finish(bytes.subarray(start, at))
          needsElement = byte === COMMA
          state = needsElement ? 'between' : 'after'
        } else if (byte === CLOSE || byte === CLOSE_ARRAY) depth--
      } else if (!BLANKS.has(byte)) {
        if (state === 'before' && byte === OPEN_ARRAY) state = 'between'
        else if (state === 'between' && byte === CLOSE_ARRAY && !needsElement) state = 'after'
        else throw new UnreadableFile(line, NO_ARRAY)
      }
    }
    if (state === 'element') add(bytes.subarray(start))
  }
  if (state !== 'after') throw new UnreadableFile(line, 'is the last, and the JSON array is not closed.')

  function add (part: Buffer) {
    parts.push(part)
    if (parts.reduce((sum, { length }) => sum + length, 0) > MAX_RECORD) throw new UnreadableFile(begin, TOO_LONG)
  }

  function finish (part: Buffer): JsonRecord {
    add(part)
    const json = parts.length === 1 ? part : Buffer.concat(parts)
    parts = []
    return { line: begin, json }
  }
}

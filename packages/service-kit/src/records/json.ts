import { RecordBytes, type Oversized, UnreadableFile } from './record.js'

/** The text of a record; `line` is where it begins, as editors count. */
export interface JsonRecord { readonly line: number, readonly json: Buffer }

const NO_ARRAY = 'is not part of a JSON array of records: [{…}, {…}].'
const LF = 0x0a
const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE, OPEN_ARRAY, CLOSE_ARRAY] = [...'"\\,{}[]'].map(it => it.charCodeAt(0))
const BLANKS = new Set([...' \t\r\n'].map(it => it.charCodeAt(0)))

/** Reads NDJSON; skips empty lines. Holds at most one record, and nothing of one that is too long. */
export async function * readLines (body: AsyncIterable<Buffer>): AsyncGenerator<JsonRecord | Oversized> {
  const record = new RecordBytes()
  let line = 1
  for await (const bytes of body) {
    let start = 0
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      record.add(bytes.subarray(start, end))
      if (record.length > 0) yield * finish(line)
      line++
      start = end + 1
    }
    record.add(bytes.subarray(start))
  }
  yield * finish(line)

  function * finish (line: number): Generator<JsonRecord | Oversized> {
    const json = record.take()
    if (json === null) yield { line, limit: 'bytes' }
    else if (json.some(byte => !BLANKS.has(byte))) yield { line, json }
  }
}

/**
 * Reads the elements of a JSON array. Looks only at brackets, quotes and commas: parsing an element finds its other errors.
 * Holds at most one element, and nothing of one that is too long.
 * @throws UnreadableFile if it is not an array, or ends early
 */
export async function * readElements (body: AsyncIterable<Buffer>): AsyncGenerator<JsonRecord | Oversized> {
  // as: otherwise, the compiler narrows it to 'before'.
  let state = 'before' as 'before' | 'between' | 'element' | 'after'
  let [line, begin, depth] = [1, 1, 0]
  let [inString, isEscaped, needsElement] = [false, false, false]
  const element = new RecordBytes()

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
          element.add(bytes.subarray(start, at))
          const json = element.take()
          yield json === null ? { line: begin, limit: 'bytes' } : { line: begin, json }
          needsElement = byte === COMMA
          state = needsElement ? 'between' : 'after'
        } else if (byte === CLOSE || byte === CLOSE_ARRAY) depth--
      } else if (!BLANKS.has(byte)) {
        if (state === 'before' && byte === OPEN_ARRAY) state = 'between'
        else if (state === 'between' && byte === CLOSE_ARRAY && !needsElement) state = 'after'
        else throw new UnreadableFile(line, NO_ARRAY, { reason: 'no-array' })
      }
    }
    if (state === 'element') element.add(bytes.subarray(start))
  }
  if (state === 'before') throw new UnreadableFile(line, 'has no JSON array of records: [{…}, {…}].', { reason: 'no-array' })
  if (state !== 'after') throw new UnreadableFile(line, 'is the last, and the JSON array is not closed.', { reason: 'open-array' })
}

import { parse, type ParsedUrlQuery } from 'node:querystring'
import { formMalformed } from '../problems/customer.js'
import type { Maker } from '../problems/define.js'

/** The fields of a form or the parameters of a query; an array if one is repeated. Has no prototype. */
export type Fields = ParsedUrlQuery

const MAX_FIELDS = 32

/** Parses `application/x-www-form-urlencoded`, and rejects what lenient parsers guess. @throws what `malformed` makes */
export function parseUrlencoded (text: string, { whole, part, malformed }: { whole: string, part: string, malformed: Maker }): Fields {
  if (text.split('&').filter(field => field !== '').length > MAX_FIELDS) {
    throw malformed(`The ${whole} has more than ${MAX_FIELDS} ${part}. Send only the operation's ${part}.`)
  }
  try {
    // parse() ignores broken escapes.
    decodeURIComponent(text)
  } catch (cause) {
    throw malformed(`A % in the ${whole} is not followed by the hexadecimal digits of UTF-8. Write % itself as %25.`, { cause })
  }
  return parse(text, '&', '=', { maxKeys: 0 })
}

/** Skips a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses `application/x-www-form-urlencoded`. @throws ProblemError `form-malformed` */
export function parseForm (body: Uint8Array): Fields {
  let text: string
  try {
    text = utf8.decode(body)
  } catch (cause) {
    throw formMalformed('The body is not UTF-8. Send the form in UTF-8.', { cause })
  }
  return parseUrlencoded(text, { whole: 'form', part: 'fields', malformed: formMalformed })
}

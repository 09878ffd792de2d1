import { parse, type ParsedUrlQuery } from 'node:querystring'
import { formMalformed } from '../problems/customer.js'

/** The fields of a form: a text, or an array if the field is repeated. Has no prototype. */
export type Fields = ParsedUrlQuery

const MAX_FIELDS = 32

/** Skips a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses `application/x-www-form-urlencoded`, and rejects what lenient parsers guess.
 * @throws ProblemError `form-malformed`
 */
export function parseForm (body: Uint8Array): Fields {
  const text = read(() => utf8.decode(body), 'The body is not UTF-8. Send the form in UTF-8.')
  if (text.split('&').filter(field => field !== '').length > MAX_FIELDS) {
    throw formMalformed(`The form has more than ${MAX_FIELDS} fields. Send only the operation's fields.`)
  }
  // parse() ignores broken escapes.
  read(() => decodeURIComponent(text), 'A % in the form is not followed by the hexadecimal digits of UTF-8. Write % itself as %25.')
  return parse(text, '&', '=', { maxKeys: 0 })
}

function read (decode: () => string, detail: string) {
  try {
    return decode()
  } catch (cause) {
    throw formMalformed(detail, { cause })
  }
}

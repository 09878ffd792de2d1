import { parse, type ParsedUrlQuery } from 'node:querystring'
import { formMalformed } from '../problems/customer.js'

/** Fields of a form: a text, or an array where a field came more than once. Has no prototype. */
export type Fields = ParsedUrlQuery

const MAX_FIELDS = 32

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads `application/x-www-form-urlencoded` and refuses what lenient parsers guess at.
 * @throws ProblemError `form-malformed`
 */
export function parseForm (body: Uint8Array): Fields {
  const text = read(() => utf8.decode(body), 'The body is not UTF-8. Send the form in UTF-8.')
  if (text.split('&').filter(field => field !== '').length > MAX_FIELDS) {
    throw formMalformed(`The form has more than ${MAX_FIELDS} fields. Send only those that the operation takes.`)
  }
  // parse() keeps a broken escape as it is.
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

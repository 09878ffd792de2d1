import { formMalformed } from '../problems/customer.js'
import { parseUrlencoded, type Fields } from './urlencoded.js'

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

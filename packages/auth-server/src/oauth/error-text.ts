/** Longest value that an error shows, in characters. */
const MAX_SHOWN = 100

/** A value of a request for a description: escaped as in a URI, and shortened. */
export function shortOf (value: string): string {
  // Well-formed: a lone surrogate cannot be escaped.
  const shown = Buffer.from(value.slice(0, MAX_SHOWN)).toString().replace(/[^\x21\x23-\x5b\x5d-\x7e]/gu, encodeURIComponent)
  return value.length > MAX_SHOWN || shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}...` : shown
}

/** A description in the characters that `error_description` can have: printable ASCII without quote and backslash (RFC 6749 §5.2). */
export function asDescription (sentence: string): string {
  return sentence.replaceAll('§', 'section ').replaceAll('…', '...').replaceAll('"', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/gu, '?')
}

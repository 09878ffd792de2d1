/** Quotes a text as one shell word: in apostrophes if it has characters that a shell interprets. */
export function shellQuote (text: string): string {
  return /^[\w:/.=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

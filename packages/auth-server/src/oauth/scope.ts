/** `scope-token` of RFC 6749 §3.3. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** The scope tokens in a `scope` parameter, in order, each once. What does not fit the grammar is left out. */
export function parseScope (text: string): string[] {
  return [...new Set(text.split(' ').filter(it => SCOPE_TOKEN.test(it)))]
}

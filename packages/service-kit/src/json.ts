/** Maximum levels of untrusted JSON: recursive functions would overflow the stack with more. */
export const MAX_JSON_DEPTH = 32

/** Strings and brackets. An unclosed string extends to the end, since another search from each quote would take quadratic time. */
const TOKENS = /"(?:[^"\\]|\\.?)*(?:"|$)|[[\]{}]/gs

/** Whether a JSON text, valid or not, has more levels than {@link MAX_JSON_DEPTH}. */
export function isTooDeep (json: string): boolean {
  let depth = 0
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > MAX_JSON_DEPTH) return true
  }
  return false
}

/** Parses JSON; `undefined` if it is invalid. */
export function parseJson (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses untrusted JSON, perhaps with a byte order mark; `undefined` if it is invalid or has too many levels. */
export function parseForeignJson (text: string): unknown {
  return isTooDeep(text) ? undefined : parseJson(text.replace(/^\ufeff/, ''))
}

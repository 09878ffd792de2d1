/** Levels of arrays and objects in a JSON text of a stranger, at most: what calls itself for each would overflow the stack. */
export const MAX_JSON_DEPTH = 32

/** Strings and brackets. A string that is not closed goes to the end: looked for again from each quote, it would take quadratic time. */
const TOKENS = /"(?:[^"\\]|\\.?)*(?:"|$)|[[\]{}]/gs

/** Whether a JSON text has more levels than {@link MAX_JSON_DEPTH}. @param json well-formed or not */
export function isTooDeep (json: string): boolean {
  let depth = 0
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > MAX_JSON_DEPTH) return true
  }
  return false
}

/** The value of a JSON text; `undefined` if it is none. */
export function parseJson (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value of a stranger's JSON text, which can begin with a byte order mark; `undefined` if it is none, or has too many levels. */
export function parseForeignJson (text: string): unknown {
  return isTooDeep(text) ? undefined : parseJson(text.replace(/^\ufeff/, ''))
}

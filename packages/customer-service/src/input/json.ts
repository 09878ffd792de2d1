import { isTooDeep, MAX_JSON_DEPTH } from '@frontdesk/service-kit/json'
import { jsonMalformed } from '../problems/customer.js'

export interface Members {
  /** The last value of each name. Has no prototype. */
  values: Record<string, unknown>
  /** Number of occurrences of each repeated name. */
  repeated: ReadonlyMap<string, number>
}

const MAX_MEMBERS = 32

/** Skips a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON object (RFC 8259), and reports repeated names, which parsers treat differently.
 * @throws ProblemError `json-malformed`
 */
export function parseObject (body: Uint8Array): Members {
  const text = read(() => utf8.decode(body), 'The body is not UTF-8. Send the JSON in UTF-8.')
  if (isTooDeep(text)) throw jsonMalformed(`The JSON has more than ${MAX_JSON_DEPTH} levels. Send one JSON object.`)
  const value: unknown = read(() => JSON.parse(text), 'The body is not JSON. Send one JSON object.')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw jsonMalformed('The body is JSON, but not an object. Send one JSON object.')
  }
  const counts = countNames(text)
  if (counts.size > MAX_MEMBERS) {
    throw jsonMalformed(`The object has more than ${MAX_MEMBERS} members. Send only the operation's members.`)
  }
  return {
    values: Object.assign(Object.create(null), value),
    repeated: new Map([...counts].filter(([, count]) => count > 1))
  }
}

/** Counts the names of an object's members. @param json valid: exactly the strings before a colon are names */
function countNames (json: string): Map<string, number> {
  const counts = new Map<string, number>()
  let depth = 0
  for (const [token, colon] of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    else if (depth === 1 && colon !== undefined) {
      // as: the token is a string.
      const name = JSON.parse(token.slice(0, -colon.length)) as string
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return counts
}

function read<T> (decode: () => T, detail: string): T {
  try {
    return decode()
  } catch (cause) {
    throw jsonMalformed(detail, { cause })
  }
}

import { isTooDeep, MAX_JSON_DEPTH } from '@frontdesk/service-kit/json'
import { jsonMalformed } from '../problems/customer.js'

export interface Members {
  /** The last value of each name. Has no prototype. */
  values: Record<string, unknown>
  /** Number of occurrences of each repeated name. */
  repeated: ReadonlyMap<string, number>
}

/** The members of the body. */
interface BodyMembers extends Members {
  /** The same for nested objects, counted together: the body of an operation has one at most. */
  repeatedInside: ReadonlyMap<string, number>
}

/** Maximum members of an object. */
export const MAX_MEMBERS = 32

/** Skips a byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON object (RFC 8259), and reports repeated names, which parsers treat differently.
 * @throws ProblemError `json-malformed`
 */
export function parseObject (body: Uint8Array): BodyMembers {
  const text = read(() => utf8.decode(body), 'The body is not UTF-8. Send the JSON in UTF-8.')
  if (isTooDeep(text)) throw jsonMalformed(`The JSON has more than ${MAX_JSON_DEPTH} levels. Send one JSON object.`)
  const value: unknown = read(() => JSON.parse(text), 'The body is not JSON. Send one JSON object.')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw jsonMalformed('The body is JSON, but not an object. Send one JSON object.')
  }
  const [counts, inside] = countNames(text)
  if (counts.size > MAX_MEMBERS) {
    throw jsonMalformed(`The object has more than ${MAX_MEMBERS} members. Send only the operation's members.`)
  }
  return {
    values: Object.assign(Object.create(null), value),
    repeated: repeatedOf(counts),
    repeatedInside: repeatedOf(inside)
  }
}

function repeatedOf (counts: ReadonlyMap<string, number>) {
  return new Map([...counts].filter(([, count]) => count > 1))
}

/**
 * Counts the names of an object's members, and of the members of objects inside.
 * @param json valid: exactly the strings before a colon are names
 */
function countNames (json: string) {
  const levels = [new Map<string, number>(), new Map<string, number>()] as const
  let depth = 0
  for (const [token, colon] of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    const counts = levels[depth - 1]
    if (counts !== undefined && colon !== undefined) {
      // as: the token is a string.
      const name = JSON.parse(token.slice(0, -colon.length)) as string
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return levels
}

function read<T> (decode: () => T, detail: string): T {
  try {
    return decode()
  } catch (cause) {
    throw jsonMalformed(detail, { cause })
  }
}

/** Encodes a form or a query without `undefined` values; an array repeats its name. */
export function encode (values: object) {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return new URLSearchParams(entries.flatMap(([name, value]) => [value].flat().map(it => [name, String(it)])))
}

/** Adds a query to a path. */
export function withQuery (path: string, query: object) {
  const parameters = encode(query).toString()
  return parameters === '' ? path : `${path}?${parameters}`
}

/** Makes an idempotency key. `randomUUID` would need a secure context. */
export function makeKey () {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}

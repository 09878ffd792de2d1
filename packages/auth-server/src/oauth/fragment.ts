/**
 * A callback with a response in its fragment (RFC 6749 §4.2.2). The callback itself stays unchanged. Spaces become `%20`,
 * never `+`, since not all clients decode `+`.
 */
export function withFragment (callback: string, answer: Record<string, string | number | undefined>): string {
  return `${callback}#${encodeAnswer(answer)}`
}

/** Encodes a response for a query or fragment. */
export function encodeAnswer (answer: Record<string, string | number | undefined>): string {
  return Object.entries(answer).flatMap(([name, value]) => value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]).join('&')
}

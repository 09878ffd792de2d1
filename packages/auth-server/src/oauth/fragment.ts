/**
 * A callback with an answer in its fragment (RFC 6749 §4.2.2). The callback is kept byte for byte; values are
 * encoded with `%20` for a space, never `+`, since clients decode fragments either way.
 */
export function withFragment (callback: string, answer: Record<string, string | number | undefined>): string {
  return `${callback}#${encodeAnswer(answer)}`
}

/** An answer as text of a query or fragment. */
export function encodeAnswer (answer: Record<string, string | number | undefined>): string {
  return Object.entries(answer)
    .flatMap(([name, value]) => value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`])
    .join('&')
}

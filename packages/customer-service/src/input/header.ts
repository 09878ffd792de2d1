/**
 * Every value of a header field, in order: of some fields Node keeps the first and drops the others silently.
 * @param rawHeaders name, value, name, value…
 * @param name in lower case
 */
export function valuesOf (rawHeaders: string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
}

/**
 * Every value of a header field, in order: for some fields, Node.js keeps the first and drops the others silently.
 * @param rawHeaders name, value, name, value…
 * @param name in lower case
 */
export function headerValues (rawHeaders: string[], name: string): string[] {
  const values: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    // as: names and values come in pairs.
    const [written, value] = [rawHeaders[i] as string, rawHeaders[i + 1] as string]
    if (written.length === name.length && written.toLowerCase() === name) values.push(value)
  }
  return values
}

/**
 * Every value of a header, in order: of some repeated headers, Node.js keeps only the first.
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

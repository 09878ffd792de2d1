/** Joins names for a sentence: `a, b or c`. */
export function joinOr (names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

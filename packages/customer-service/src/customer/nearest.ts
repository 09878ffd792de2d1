import { distance } from 'fastest-levenshtein'

/** Says that there is no such field or parameter, which one is probably meant, or which ones there are. */
export function noSuch (kind: string, written: string, names: readonly string[]): string {
  const meant = nearest(written, names)
  if (names.length === 0) return `There is no such ${kind}.`
  return `There is no such ${kind}${meant === undefined ? `. There are ${names.join(', ')}.` : `; did you mean \`${meant}\`?`}`
}

/** Suggests a name: ignores case, with an edit distance of at most two; `undefined` if there is none. */
export function nearest (written: string, names: readonly string[]): string | undefined {
  // Longer names are not typos.
  if (written.length > 32) return undefined
  const distances = names.map(name => ({ name, distance: distance(written.toLowerCase().replaceAll('-', '_'), name) }))
  const [best] = distances.sort((one, other) => one.distance - other.distance)
  return best !== undefined && best.distance < Math.min(3, best.name.length) ? best.name : undefined
}

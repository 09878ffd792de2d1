import { distance } from 'fastest-levenshtein'

/** The name that was probably meant: an edit distance of at most two, case ignored; `undefined` if there is none. */
export function nearest (written: string, names: string[]): string | undefined {
  const far = 3
  // Much longer names are not typos.
  if (written.length > 32) return undefined
  const distances = names.map(name => ({ name, distance: distance(written.toLowerCase().replaceAll('-', '_'), name) }))
  const [best] = distances.sort((one, other) => one.distance - other.distance)
  return best !== undefined && best.distance < Math.min(far, best.name.length) ? best.name : undefined
}

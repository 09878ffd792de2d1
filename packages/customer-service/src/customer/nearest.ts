import { distance } from 'fastest-levenshtein'

/** The name that was probably meant: at most two letters away; `undefined` if none is. Case makes no difference. */
export function nearest (written: string, names: string[]): string | undefined {
  const far = 3
  // A name that is much longer is meant for something else.
  if (written.length > 32) return undefined
  const distances = names.map(name => ({ name, distance: distance(written.toLowerCase().replaceAll('-', '_'), name) }))
  const [best] = distances.sort((one, other) => one.distance - other.distance)
  return best !== undefined && best.distance < Math.min(far, best.name.length) ? best.name : undefined
}

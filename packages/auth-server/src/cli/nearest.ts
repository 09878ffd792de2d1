import { distance } from 'fastest-levenshtein'
import { quote } from './text.js'

/** Most suggestions. */
const SUGGESTIONS = 3

/** Longer names are not compared: they are no typos. */
const LONGEST = 100

/**
 * ` Did you mean "…"?` with the known names that are nearest to a written one, or an empty text if none is near: two
 * letters away, three in longer names, or beginning with what was written. Case makes no difference.
 */
export function didYouMean (written: string, known: readonly string[]): string {
  if (written.length > LONGEST) return ''
  const wanted = written.toLowerCase()
  const far = Math.min(3, Math.ceil(wanted.length / 3))
  const near = known.map(name => ({ name, away: awayFrom(wanted, name.toLowerCase()) }))
    .filter(({ away }) => away <= far).sort((one, other) => one.away - other.away).slice(0, SUGGESTIONS)
  return near.length === 0 ? '' : ` Did you mean ${near.map(({ name }) => quote(name)).join(' or ')}?`
}

function awayFrom (wanted: string, name: string): number {
  return wanted.length > 2 && name.startsWith(wanted) ? 1 : distance(wanted, name)
}

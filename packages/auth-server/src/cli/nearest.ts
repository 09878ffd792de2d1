import { distance } from 'fastest-levenshtein'
import { quote } from './text.js'

/** Most suggestions. */
const SUGGESTIONS = 3

/** Longest name to compare, in characters: longer ones are not typos. */
const LONGEST = 100

/**
 * ` Did you mean "…"?` with the known names that are nearest to a written one; empty if none is near. Near are names with
 * an edit distance of at most a third of the length, or 3, and names that begin with the written one. Case makes no difference.
 */
export function didYouMean (written: string, known: readonly string[]): string {
  if (written.length > LONGEST) return ''
  const wanted = written.toLowerCase()
  const limit = Math.min(3, Math.ceil(wanted.length / 3))
  const near = known.map(name => ({ name, edits: editsBetween(wanted, name.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit).sort((one, other) => one.edits - other.edits).slice(0, SUGGESTIONS)
  return near.length === 0 ? '' : ` Did you mean ${near.map(({ name }) => quote(name)).join(' or ')}?`
}

function editsBetween (wanted: string, name: string): number {
  return wanted.length > 2 && name.startsWith(wanted) ? 1 : distance(wanted, name)
}

import { distance } from 'fastest-levenshtein'
import { quote } from './showable.js'

/** Longest name that is compared, in characters: longer ones are not typos. */
const MAX_LENGTH = 64

/** Most edits between names that are near, and between short ones: of four letters, two edits are half a word. */
const [MAX_EDITS, MAX_EDITS_OF_SHORT, SHORT_LENGTH] = [2, 1, 4]

/** Most suggestions. */
const MAX_SUGGESTIONS = 3

/** Longest name to compare, in characters: longer ones are not typos. */
const MAX_SUGGESTED_LENGTH = 100

/**
 * The known name that a written one probably means: at most two edits away, one if it is short, or the same letters in
 * another order. Case makes no difference. `undefined` if none is near.
 */
export function nearest (written: string, known: readonly string[]): string | undefined {
  if (written.length > MAX_LENGTH) return undefined
  const wanted = written.toLowerCase()
  // Names of other lengths are skipped unread: a process compares its whole environment when it starts.
  const near = known.filter(({ length }) => Math.abs(length - wanted.length) <= MAX_EDITS)
    .map(name => ({ name, edits: editsBetween(wanted, name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= (Math.min(wanted.length, name.length) <= SHORT_LENGTH ? MAX_EDITS_OF_SHORT : MAX_EDITS))
  return near.sort((one, other) => one.edits - other.edits)[0]?.name
}

function editsBetween (wanted: string, name: string): number {
  const edits = distance(wanted, name)
  // Typing swaps letters: one mistake, but two edits.
  return edits === 2 && sorted(wanted) === sorted(name) ? 1 : edits
}

function sorted (word: string): string {
  return [...word].sort().join('')
}

/**
 * ` Did you mean "…"?` with the known names that are nearest to a written one; empty if none is near. Near are names with
 * an edit distance of at most a third of the length, or 3, and names that begin with the written one. Case makes no difference.
 */
export function didYouMean (written: string, known: readonly string[]): string {
  if (written.length > MAX_SUGGESTED_LENGTH) return ''
  const wanted = written.toLowerCase()
  const limit = Math.min(3, Math.ceil(wanted.length / 3))
  const near = known.map(name => ({ name, edits: editsOrPrefix(wanted, name.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit).sort((one, other) => one.edits - other.edits).slice(0, MAX_SUGGESTIONS)
  return near.length === 0 ? '' : ` Did you mean ${near.map(({ name }) => quote(name)).join(' or ')}?`
}

function editsOrPrefix (wanted: string, name: string): number {
  return wanted.length > 2 && name.startsWith(wanted) ? 1 : distance(wanted, name)
}

import { distance } from 'fastest-levenshtein'
import { quote } from './showable.js'

/** Maximum length to compare: longer names are not typos. */
const MAX_LENGTH = 64

/** Maximum edits between similar names, and between short ones. */
const [MAX_EDITS, MAX_EDITS_OF_SHORT, SHORT_LENGTH] = [2, 1, 4]

const MAX_SUGGESTIONS = 3

/** Maximum length to compare for suggestions: longer names are not typos. */
const MAX_SUGGESTED_LENGTH = 100

/**
 * Finds the name that was probably meant: at most two edits away, one for short names, or with two letters swapped. Ignores
 * case. `undefined` if there is none.
 */
export function nearest (written: string, known: readonly string[]): string | undefined {
  if (written.length > MAX_LENGTH) return undefined
  const wanted = written.toLowerCase()
  // Compares only similar lengths, because a process checks its whole environment when it starts.
  const near = known.filter(({ length }) => Math.abs(length - wanted.length) <= MAX_EDITS)
    .map(name => ({ name, edits: editsBetween(wanted, name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= (Math.min(wanted.length, name.length) <= SHORT_LENGTH ? MAX_EDITS_OF_SHORT : MAX_EDITS))
  return near.sort((one, other) => one.edits - other.edits)[0]?.name
}

function editsBetween (wanted: string, name: string): number {
  const edits = distance(wanted, name)
  // Swapped letters are two edits, but one mistake.
  return edits === 2 && sorted(wanted) === sorted(name) ? 1 : edits
}

function sorted (word: string): string {
  return [...word].sort().join('')
}

/**
 * Finds similar names: with an edit distance of at most 3 and a third of the length, or that begin with the written one. Ignores case.
 */
export function findSimilar (written: string, known: readonly string[]): string[] {
  if (written.length > MAX_SUGGESTED_LENGTH) return []
  const wanted = written.toLowerCase()
  const limit = Math.min(3, Math.ceil(wanted.length / 3))
  const near = known.map(name => ({ name, edits: editsOrPrefix(wanted, name.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit).sort((one, other) => one.edits - other.edits).slice(0, MAX_SUGGESTIONS)
  return near.map(({ name }) => name)
}

/** Formats ` Did you mean "…"?` with similar names; empty if there are none. */
export function didYouMean (written: string, known: readonly string[]): string {
  const near = findSimilar(written, known)
  return near.length === 0 ? '' : ` Did you mean ${near.map(name => quote(name)).join(' or ')}?`
}

function editsOrPrefix (wanted: string, name: string): number {
  return wanted.length > 2 && name.startsWith(wanted) ? 1 : distance(wanted, name)
}

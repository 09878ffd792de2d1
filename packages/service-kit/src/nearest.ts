import { distance } from 'fastest-levenshtein'

/** Longest name that is compared, in characters: longer ones are not typos. */
const MAX_LENGTH = 64

/** Most edits between names that are near, and between short ones: of four letters, two edits are half a word. */
const [MAX_EDITS, MAX_EDITS_OF_SHORT, SHORT_LENGTH] = [2, 1, 4]

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

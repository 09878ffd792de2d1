import { distance } from 'fastest-levenshtein'

/** Longest name that is compared, in characters: longer ones are not typos. */
const MAX_LENGTH = 64

/** Names of up to this length are near only with one edit: of four letters, two edits are half a word. */
const SHORT = 4

/**
 * The known name that a written one probably means: at most two edits away, one if it is short, or the same letters in
 * another order. Case makes no difference. `undefined` if none is near.
 */
export function nearest (written: string, known: readonly string[]): string | undefined {
  if (written.length > MAX_LENGTH) return undefined
  const wanted = written.toLowerCase()
  const near = known.map(name => ({ name, edits: editsBetween(wanted, name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= (Math.min(wanted.length, name.length) <= SHORT ? 1 : 2))
  return near.sort((one, other) => one.edits - other.edits)[0]?.name
}

function editsBetween (wanted: string, name: string): number {
  // Typing swaps letters: one mistake, but two edits.
  return wanted !== name && sorted(wanted) === sorted(name) ? 1 : distance(wanted, name)
}

function sorted (word: string): string {
  return [...word].sort().join('')
}

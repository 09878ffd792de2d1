/** Marks without a script: accents, but not the vowel signs of Indic scripts, which distinguish words. */
const accents = /(?=\p{M})\p{Script=Inherited}/gu

/** Letters that Unicode does not decompose, and how they are written without them. */
const letters: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ŧ: 't', æ: 'ae', œ: 'oe', ð: 'd', þ: 'th', ς: 'σ' }
const oneOfLetters = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')

/** Longest words and names that are compared in full, in code points: a database does not index longer ones. */
const MAX_WORD = 64
const MAX_NAME = 200

/**
 * Folds case and accents, the same for every database: compatibility decomposition (Unicode NFKD), accents removed,
 * full case folding. `Łódź`, `LODZ` and `lodz` become equal, and so do `ß` and `ss`.
 */
export function fold (text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  return strip(strip(text).toLowerCase().toUpperCase().toLowerCase()).replace(oneOfLetters, letter => letters[letter] ?? letter)
}

/** The sort key of a name in lists. */
export function foldName (name: string): string {
  return cut(fold(name), MAX_NAME)
}

/** The words of a text, folded and unique, separated by anything but letters, digits and marks. */
export function wordsOf (text: string): string[] {
  return splitWords(fold(text))
}

/** The words of a folded text. */
export function splitWords (folded: string): string[] {
  return [...new Set((folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(word => cut(word, MAX_WORD)))]
}

/** The words of a text as they are stored, each after a space, so that ` ann` matches the beginning of a word. */
export function foldWords (text: string): string {
  return wordsOf(text).map(word => ` ${word}`).join('')
}

function strip (text: string): string {
  return text.normalize('NFKD').replace(accents, '').replaceAll('\u{10ffff}', '')
}

function cut (text: string, max: number): string {
  return text.length <= max ? text : [...text].slice(0, max).join('')
}

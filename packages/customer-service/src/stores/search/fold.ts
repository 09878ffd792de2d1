/** Marks without a script: accents, but not Indic vowel signs, which distinguish words. */
const accents = /(?=\p{M})\p{Script=Inherited}/gu

/** Replacements of letters that Unicode does not decompose. */
const letters: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ŧ: 't', æ: 'ae', œ: 'oe', ð: 'd', þ: 'th', ς: 'σ' }
const oneOfLetters = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')

/** Maximum code points of words and names in an index. */
const MAX_WORD = 64
const MAX_NAME = 200

/**
 * Folds case and accents, independently of the database: NFKD, accents removed, full case folding. `Łódź`, `LODZ` and `lodz`
 * become equal, and so do `ß` and `ss`.
 */
export function fold (text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  return strip(strip(text).toLowerCase().toUpperCase().toLowerCase()).replace(oneOfLetters, letter => letters[letter] ?? letter)
}

/** Makes the sort key of a name. */
export function foldName (name: string): string {
  return cut(fold(name), MAX_NAME)
}

/** Folds a text and splits it into unique words. */
export function parseWords (text: string): string[] {
  return splitWords(fold(text))
}

/** Splits a folded text into unique words, at anything but letters, digits and marks. */
export function splitWords (folded: string): string[] {
  return [...new Set((folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(word => cut(word, MAX_WORD)))]
}

/** Makes the stored form of a text's words: each after a space, so that ` ann` matches the start of a word. */
export function foldWords (text: string): string {
  return parseWords(text).map(word => ` ${word}`).join('')
}

/** Whether each word is a prefix of a word of a text. */
export function matchesWords (words: readonly string[], text: string): boolean {
  if (words.length === 0) return true
  const own = foldWords(text)
  return words.every(word => own.includes(` ${word}`))
}

function strip (text: string): string {
  return text.normalize('NFKD').replace(accents, '').replaceAll('\u{10ffff}', '')
}

function cut (text: string, max: number): string {
  return text.length <= max ? text : [...text].slice(0, max).join('')
}

/** Marks that belong to no script: accents, not the vowel signs of Indic scripts, without which words are others. */
const accents = /(?=\p{M})\p{Script=Inherited}/gu

/** Letters that Unicode does not take apart, as they are written where nobody has them. */
const letters: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ŧ: 't', æ: 'ae', œ: 'oe', ð: 'd', þ: 'th', ς: 'σ' }
const oneOfLetters = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')

/** Longest words and names that are told apart, in code points: a database does not index longer ones. */
const MAX_WORD = 64
const MAX_NAME = 200

/**
 * A text without case and accents, the same on every database: compatibility decomposition (Unicode NFKD), accents
 * taken away, full case folding. `Łódź`, `LODZ` and `lodz` are one; so are `ß` and `ss`.
 */
export function fold (text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  return strip(strip(text).toLowerCase().toUpperCase().toLowerCase()).replace(oneOfLetters, letter => letters[letter] ?? letter)
}

/** What names are sorted and compared by in lists. */
export function foldName (name: string): string {
  return cut(fold(name), MAX_NAME)
}

/** The words of a text, folded, each once: what is not a letter, a digit or a mark parts them. */
export function wordsOf (text: string): string[] {
  return [...new Set((fold(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(word => cut(word, MAX_WORD)))]
}

/** The words of a customer as they are kept: a space before each, so that ` ann` finds where one begins. */
export function foldWords (name: string, address: string): string {
  return wordsOf(`${name} ${address}`).map(word => ` ${word}`).join('')
}

function strip (text: string): string {
  return text.normalize('NFKD').replace(accents, '')
}

function cut (text: string, max: number): string {
  return text.length <= max ? text : [...text].slice(0, max).join('')
}

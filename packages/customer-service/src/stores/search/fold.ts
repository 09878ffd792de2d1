/** Marks without a script: accents, but not Indic vowel signs, which distinguish words. */
const accents = /(?=\p{M})\p{Script=Inherited}/gu

/** Replacements of letters that Unicode does not decompose. */
const letters: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ŧ: 't', æ: 'ae', œ: 'oe', ð: 'd', þ: 'th', ς: 'σ' }
const oneOfLetters = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')

/** Letters of scripts without spaces between words. With Script_Extensions, because scripts share marks such as ー. */
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar'].map(name => `\\p{scx=${name}}`).join('')
const unspaced = new RegExp(`[${SCRIPTS}]`, 'u')
const pieces = new RegExp(`[${SCRIPTS}]+|[^${SCRIPTS}]+`, 'gu')

/** Maximum code points of words and names in an index. */
const MAX_WORD = 64
const MAX_UNSPACED_WORD = 200
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
  const words = folded.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return [...new Set(words.map(word => cut(word, word.length > MAX_WORD && unspaced.test(word) ? MAX_UNSPACED_WORD : MAX_WORD)))]
}

/** Makes the stored form of a text's words: their terms, each after a space, so that ` ann` matches the start of a word. */
export function foldWords (text: string): string {
  return parseWords(text).map(word => ` ${termsOf(word).join(' ')}`).join('')
}

/**
 * Splits a word into the terms that are stored and indexed: itself, or, in scripts without spaces, each pair of letters and the
 * last letter: `山田太郎` becomes 山田, 田太, 太郎, 郎. So any part of it is a sequence of terms, the last of which can be incomplete.
 */
export function termsOf (word: string): string[] {
  if (!unspaced.test(word)) return [word]
  return (word.match(pieces) ?? []).flatMap(piece => {
    if (!unspaced.test(piece)) return cut(piece, MAX_WORD)
    const letters = [...piece]
    return letters.map((letter, index) => letter + (letters[index + 1] ?? ''))
  })
}

/** The terms that a stored word must have in sequence to match this one. The stored word can continue after the last letter. */
export function termsToFind (word: string): string[] {
  const terms = termsOf(word)
  const [last = '', before = ''] = [terms.at(-1), terms.at(-2)]
  return unspaced.test(last) && before.endsWith(last) ? terms.slice(0, -1) : terms
}

/** The text that the stored form of a matching text contains. */
export function formToFind (word: string): string {
  return ` ${termsToFind(word).join(' ')}`
}

/** Whether a customer has each word. */
export function matchesWords (words: readonly string[], { name, address }: { name: string, address: string }): boolean {
  const stored = words.length === 0 ? '' : foldWords(name) + foldWords(address)
  return words.every(word => stored.includes(formToFind(word)))
}

function strip (text: string): string {
  return text.normalize('NFKD').replace(accents, '').replaceAll('\u{10ffff}', '')
}

function cut (text: string, max: number): string {
  return text.length <= max ? text : [...text].slice(0, max).join('')
}

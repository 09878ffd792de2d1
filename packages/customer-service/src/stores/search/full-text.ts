import { foldName, splitWords } from './fold.js'
import type { Filters } from './query.js'
import type { Provider } from './statements.js'

/** Ages are also looked up as words, unless the range is so wide that it excludes few customers. */
const MAX_AGES = 20

/**
 * Lengths of beginnings of words that the indexes have as terms of their own, in letters: of another beginning they would read
 * each word that begins so. The same as in the migrations.
 */
const INDEXED_LENGTHS = [12, 8, 7, 6, 5, 4, 3, 2, 1]

/** How a database writes a query of its full-text index. */
const SYNTAX = {
  sqlite: { word: (word: string) => `"${word}"`, prefix: (word: string) => `"${termOf(word)}" *`, and: ' AND ', or: ' OR ' },
  postgres: { word: (word: string) => `'${termOf(word)}'`, prefix: (word: string) => `'${termOf(word)}'`, and: ' & ', or: ' | ' }
}

/**
 * The query of the full-text index that finds every match of the filters, and others: it knows words, no order of them,
 * and no times, and of long words only the first letters. `null` if the filters have no words.
 */
export function fullTextOf (filters: Filters, provider: Provider): string | null {
  const { word, prefix, and, or } = SYNTAX[provider]
  const { whole, begun, ages } = wordsIn(filters)
  if (begun.length === 0) return null
  const oneOfAges = ages.length === 0 ? [] : [`(${ages.map(word).join(or)})`]
  return [...whole.map(word), ...begun.map(prefix), ...oneOfAges].join(and)
}

/** The terms of the index that every match of the filters has. */
export function termsOf (filters: Filters): string[] {
  const { whole, begun } = wordsIn(filters)
  return [...whole, ...begun].map(termOf)
}

/** Whether {@link fullTextOf} is a single word. */
export function isOneWord (filters: Filters): boolean {
  const { whole, begun, ages } = wordsIn(filters)
  return whole.length + begun.length + ages.length === 1
}

/** Whether {@link fullTextOf} finds nothing but customers that have these words. */
export function isExact (words: readonly string[]): boolean {
  return words.every(word => termOf(word) === word)
}

/**
 * The words that every match has, the beginnings of such words, and the words for the ages that a match may have. There are
 * whole words only if there is a beginning.
 */
function wordsIn ({ name = '', namePrefix = '', words, minAge = -Infinity, maxAge = Infinity }: Filters) {
  const names = [name, namePrefix].map(text => splitWords(foldName(text)))
  // A name may be cut, or go on, in its last word.
  return {
    whole: names.flatMap(own => own.slice(0, -1)),
    begun: [...names.flatMap(own => own.slice(-1)), ...words],
    ages: maxAge - Math.max(minAge, 0) < MAX_AGES ? agesBetween(minAge, maxAge) : []
  }
}

/** The longest beginning of a word that is indexed. */
export function termOf (word: string): string {
  const letters = [...word]
  return letters.slice(0, INDEXED_LENGTHS.find(length => length <= letters.length)).join('')
}

/** Words of the index that stand for ages: `§34` for an age, `§3x` for its decade, `§n` for all that are negative. */
function agesBetween (minAge: number, maxAge: number): string[] {
  const ages: string[] = minAge < 0 ? ['§n'] : []
  for (let age = Math.max(minAge, 0); age <= maxAge;) {
    const isDecade = age % 10 === 0 && age + 9 <= maxAge
    ages.push(isDecade ? `§${age / 10}x` : `§${age}`)
    age += isDecade ? 10 : 1
  }
  return ages
}

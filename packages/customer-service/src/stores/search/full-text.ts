import { foldName, splitWords, termsOf, termsToFind } from './fold.js'
import type { Filters } from './query.js'
import type { Provider } from './statements.js'

/** Widest range of ages to look up as words: a wider one excludes few customers. */
const MAX_AGES = 20

/** Terms of all words to look up. More find few customers less. */
const MAX_TERMS = 8

/**
 * Lengths of prefixes that the indexes have as terms, in letters, as in the migrations. For other prefixes, an index would read
 * every word with the prefix.
 */
const INDEXED_LENGTHS = [12, 8, 7, 6, 5, 4, 3, 2, 1]

/** Syntax of full-text queries. */
const SYNTAX = {
  sqlite: { word: (word: string) => `"${word}"`, prefix: (word: string) => `"${indexTerm(word)}" *`, and: ' AND ', or: ' OR ' },
  postgres: { word: (word: string) => `'${indexTerm(word)}'`, prefix: (word: string) => `'${indexTerm(word)}'`, and: ' & ', or: ' | ' }
}

/**
 * Formats a full-text query that finds every match of the filters, and others: the index has neither the order of words, nor
 * times, nor more than the first letters of long words. `null` if the filters have no words.
 */
export function formatFullText (filters: Filters, provider: Provider): string | null {
  const { word, prefix, and, or } = SYNTAX[provider]
  const { whole, begun, ages } = wordsIn(filters)
  if (begun.length === 0) return null
  const oneOfAges = ages.length === 0 ? [] : [`(${ages.map(word).join(or)})`]
  return [...whole.map(word), ...begun.map(prefix), ...oneOfAges].join(and)
}

/** Lists the terms that every match of the filters has. */
export function indexTerms (filters: Filters): string[] {
  const { whole, begun } = wordsIn(filters)
  return [...whole, ...begun].map(indexTerm)
}

/** Whether {@link formatFullText} is a single word. */
export function isOneWord (filters: Filters): boolean {
  const { whole, begun, ages } = wordsIn(filters)
  return whole.length + begun.length + ages.length === 1
}

/** Whether {@link formatFullText} finds only customers with these words. */
export function isExact (words: readonly string[]): boolean {
  return words.every(word => termsToFind(word).join() === indexTerm(word))
}

/** Lists the terms to look up for some words. */
export function lookupTerms (words: readonly string[]): string[] {
  const each = Math.ceil(MAX_TERMS / words.length)
  return words.flatMap(word => termsToFind(word).slice(0, each))
}

/** Lists the words that every match has, prefixes of such words, and words for its possible ages. */
function wordsIn ({ name = '', namePrefix = '', words, minAge = -Infinity, maxAge = Infinity }: Filters) {
  const names = [name, namePrefix].map(text => splitWords(foldName(text)))
  // The last word of a name may be incomplete.
  return {
    whole: names.flatMap(own => own.slice(0, -1).flatMap(termsOf)),
    begun: [...names.flatMap(own => lookupTerms(own.slice(-1))), ...lookupTerms(words)],
    ages: maxAge - Math.max(minAge, 0) < MAX_AGES ? agesBetween(minAge, maxAge) : []
  }
}

/** The longest indexed prefix of a word. */
export function indexTerm (word: string): string {
  const letters = [...word]
  return letters.slice(0, INDEXED_LENGTHS.find(length => length <= letters.length)).join('')
}

/** Index terms of ages: `§34` for an age, `§3x` for its decade, `§n` for all negative ages. */
function agesBetween (minAge: number, maxAge: number): string[] {
  const ages: string[] = minAge < 0 ? ['§n'] : []
  for (let age = Math.max(minAge, 0); age <= maxAge;) {
    const isDecade = age % 10 === 0 && age + 9 <= maxAge
    ages.push(isDecade ? `§${age / 10}x` : `§${age}`)
    age += isDecade ? 10 : 1
  }
  return ages
}

import type { Filters } from './query.js'

/**
 * Splits the customers that a search finds into lists that follow one another: the customer whose number was sought, those whose
 * whole name was, and the rest.
 */
export function tiersOf (filters: Filters): Filters[] {
  const { text, or, words, ...others } = filters
  if (text === undefined) return [filters]
  const id = or?.id
  const notId = id === undefined ? {} : { id }
  // With the filter for a name, all have the same.
  const hasName = others.name === undefined
  const except = { ...notId, ...hasName ? { name: text } : {} }
  return [
    ...id === undefined ? [] : [{ ...others, words: [], id }],
    ...hasName ? [{ ...others, words: [], name: text, ...id === undefined ? {} : { except: notId } }] : [],
    { ...others, words, ...or === undefined ? {} : { or }, ...Object.keys(except).length === 0 ? {} : { except } }
  ]
}

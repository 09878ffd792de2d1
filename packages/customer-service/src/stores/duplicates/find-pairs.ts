import type { Row } from '@frontdesk/database/rows'
import { pick } from '@frontdesk/database/table'
import { customer } from '../../generated/tables.js'
import { LISTED } from '../search/query.js'

/** Maximum customers with the same name that one is compared with: the previous ones. */
export const MAX_COMPARED = 100

/** Maximum similar customers of which one is suggested: the others are for when those before were dismissed. */
const MAX_CANDIDATES = 5

/** Ages of the same person can differ by this, as it had a birthday. */
const MAX_AGE_DIFFERENCE = 1

export const COMPARED = { ...LISTED, ...pick(customer, 'nameFold', 'addressWords') } as const
export type Compared = Row<typeof COMPARED>

/** What two customers with the same name have in common besides. */
export const similarities = ['address', 'age'] as const
export type Similarity = typeof similarities[number]

/** A customer that is similar to one before it. */
interface Candidate { readonly other: Compared, readonly similar: readonly Similarity[] }
export interface Suspect { readonly customer: Compared, readonly candidates: readonly Candidate[] }

/** A customer with the words of its address, split once. */
interface Split { readonly customer: Compared, readonly words: readonly string[] }

/**
 * Finds the customers that are similar to one before them with the same name. Of many similar customers, each is found once, so
 * that the pairs are no more than the customers.
 * @param customers in the order of the name and the identifier
 * @param before the customers before these
 */
export function findSuspects (customers: readonly Compared[], before: readonly Compared[]): { suspects: Suspect[], last: Compared[] } {
  let namesakes = before.map(split)
  const suspects: Suspect[] = []
  for (const current of customers.map(split)) {
    if (namesakes[0]?.customer.nameFold !== current.customer.nameFold) namesakes = []
    const candidates: Candidate[] = []
    for (const other of namesakes) {
      const similar = compare(other, current)
      if (similar.length > 0 && candidates.push({ other: other.customer, similar }) === MAX_CANDIDATES) break
    }
    if (candidates.length > 0) suspects.push({ customer: current.customer, candidates })
    if (namesakes.push(current) > MAX_COMPARED) namesakes.shift()
  }
  return { suspects, last: namesakes.map(({ customer }) => customer) }
}

function split (customer: Compared): Split {
  const { addressWords } = customer
  return { customer, words: addressWords === null || addressWords === '' ? [] : addressWords.slice(1).split(' ') }
}

function compare (one: Split, other: Split): Similarity[] {
  return [
    ...isSimilarAddress(one.words, other.words) ? ['address' as const] : [],
    ...Math.abs(one.customer.age - other.customer.age) <= MAX_AGE_DIFFERENCE ? ['age' as const] : []
  ]
}

/** Whether the first two words are the same, or more than half of the words of both. */
function isSimilarAddress (words: readonly string[], others: readonly string[]): boolean {
  if (words.length > 1 && words[0] === others[0] && words[1] === others[1]) return true
  let shared = 0
  for (const word of words) if (others.includes(word)) shared++
  return 2 * shared > Math.max(words.length, others.length)
}

import { MAX_INTEGER, MIN_INTEGER } from '@frontdesk/schemas/customer'
import { matchesWords, parseWords } from './fold.js'
import type { Filters } from './query.js'

/** What a search text selects. */
export type Meaning = Pick<Filters, 'id' | 'words' | 'or' | 'text'>

/** `#5`, `No. 5` and their like in other languages. */
const NUMBER = /^(?:#|№|n[or]\.|n\.?[°º])\s*(-?\d{1,10})$/iu
const INTEGER = /^-?\d{1,10}$/
const BETWEEN = /^(-?\d{1,10})\s*[-–]\s*(-?\d{1,10})$/
const COMPARED = /^([<>])(=?)\s*(-?\d{1,10})$/

/**
 * Parses a search text. An integer is the number or the age of a customer, or a word; `#5` only the number; `20-39`, `> 20` and
 * `<= 20` are ages, or the words. Anything else is words.
 */
export function parseMeaning (typed: string): Meaning {
  const text = typed.trim()
  // Full width to half width; № and º would become letters.
  const plain = /[№º]/.test(text) ? text : text.normalize('NFKC')
  const number = NUMBER.exec(plain)?.[1]
  if (number !== undefined) return { words: [], id: Number(number) + 0 }
  const ages = parseAges(plain)
  const id = INTEGER.test(plain) ? Number(plain) + 0 : undefined
  return {
    words: parseWords(text),
    text,
    ...ages === undefined ? {} : { or: { ...ages, ...id === undefined ? {} : { id } } }
  }
}

/** Whether a customer matches. */
export function matchesMeaning ({ id, words, or }: Meaning, customer: { id: number, name: string, age: number, address: string }): boolean {
  if (id !== undefined) return customer.id === id
  const isOther = or !== undefined && (customer.id === or.id || (customer.age >= or.minAge && customer.age <= or.maxAge))
  return isOther || matchesWords(words, customer)
}

function parseAges (text: string): { minAge: number, maxAge: number } | undefined {
  const [, from, to] = BETWEEN.exec(text) ?? (INTEGER.test(text) ? [text, text, text] : [])
  if (from !== undefined) return within(Number(from), Number(to))
  const [, sign, equal, bound] = COMPARED.exec(text) ?? []
  if (sign === undefined) return undefined
  const next = Number(bound) + (equal === '=' ? 0 : sign === '>' ? 1 : -1)
  return sign === '>' ? within(next, MAX_INTEGER) : within(MIN_INTEGER, next)
}

/** Possible ages; `undefined` if there are none. */
function within (from: number, to: number) {
  const [minAge, maxAge] = [Math.max(from, MIN_INTEGER) + 0, Math.min(to, MAX_INTEGER) + 0]
  return minAge > maxAge ? undefined : { minAge, maxAge }
}

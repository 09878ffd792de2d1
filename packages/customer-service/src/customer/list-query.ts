import type { Violation } from '@frontdesk/schemas/field-error'
import { parseWords } from '../stores/search/fold.js'
import { parseMeaning } from '../stores/search/meaning.js'
import type { ListQuery, Position, Filters } from '../stores/search/query.js'
import { parseCursor, formatCursor } from './cursor.js'
import { fields, toInteger } from './fields.js'
import { parametersError, parseQuery, oneOf, whole, type Check } from './query.js'

/** Items of a page without `limit`. */
export const DEFAULT_LIMIT = 50

/** The parsed query of a list. */
export interface ListRequest {
  query: ListQuery
  /** Whether to count the customers of the list. */
  total: boolean
  /** Query of the first page, for its URL. */
  first: string
  /** Cursor of the page that begins at a position. */
  next (position: Position): string
}

/**
 * Parses the query of a list.
 * @param text what follows `?`; empty if there is none
 * @throws ProblemError `query-invalid` with every invalid parameter
 */
export function parseListQuery (text: string): ListRequest {
  const values = parseQuery(text, parameters)
  const list = formatList(values)
  const order = readSort(values)
  const after = values.cursor === undefined ? undefined : parseCursor(values.cursor, order.sort, list)
  if (values.cursor !== undefined && after === undefined) {
    throw parametersError([{
      field: 'cursor',
      detail: 'Belongs to a list with another order or other filters, or was modified. Request the first page again.'
    }])
  }
  const { limit, total } = values
  const first = formatFirst(values)
  return {
    query: { ...order, filters: readFilters(values), limit: Number(limit ?? DEFAULT_LIMIT), ...after === undefined ? {} : { after } },
    total: total === 'true',
    first,
    next: position => formatCursor(position, list)
  }
}

/** Sort orders; `-` is descending. */
export const SORTS = ['id', '-id', 'name', '-name', 'age', '-age', 'address', '-address', 'updated', '-updated']

const MAX_WORDS = 8
const time = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i

/** Parameters that select and sort customers. A cursor is valid only with the same values. */
const list = {
  name: fields.customername.check,
  name_prefix: value => value === '' ? { detail: 'Must have a character.' } : fields.customername.check(value),
  q: words,
  age_gte: fields.customerage.check,
  age_lte: fields.customerage.check,
  updated_since: moment,
  sort: oneOf(SORTS)
} satisfies Record<string, Check>

/** Every parameter of a list, and its valid values. */
export const parameters = {
  ...list,
  limit: whole(1, 200),
  cursor: (value: string) => /^[\w-]{1,2000}$/.test(value) ? undefined : { detail: 'Is not a cursor of this service. Send next of a page unchanged.' },
  total: oneOf(['true', 'false'])
} satisfies Record<string, Check>

export type ParameterName = keyof typeof parameters

/** The valid parameters of a request. */
type Values = Partial<Record<ParameterName, string>>

/** Formats the parameters that identify a list, in a canonical form. */
function formatList ({ sort, ...values }: Values): string {
  return format({ ...values, ...sort === undefined || sort === 'id' ? {} : { sort } }, Object.keys(list))
}

/** Formats the query of the first page. */
function formatFirst (values: Values): string {
  return [formatList(values), format(values, ['limit', 'total'])].filter(part => part !== '').join('&')
}

function format (values: Values, names: string[]): string {
  // as: the names are those of parameters.
  return names.filter(name => values[name as ParameterName] !== undefined)
    .map(name => new URLSearchParams({ [name]: values[name as ParameterName] ?? '' }).toString()).join('&')
}

function readFilters ({ name, name_prefix: namePrefix, q, age_gte: min, age_lte: max, updated_since: since }: Values): Filters {
  return {
    ...q === undefined ? { words: [] } : parseMeaning(q),
    ...name === undefined ? {} : { name },
    ...namePrefix === undefined ? {} : { namePrefix },
    ...min === undefined ? {} : { minAge: toInteger(min) },
    ...max === undefined ? {} : { maxAge: toInteger(max) },
    ...since === undefined ? {} : { updatedSince: new Date(Math.max(0, Date.parse(since.toUpperCase()))) }
  }
}

function readSort ({ sort = 'id' }: Values): Pick<ListQuery, 'sort' | 'descending'> {
  // as: one of SORTS.
  return { sort: sort.replace('-', '') as ListQuery['sort'], descending: sort.startsWith('-') }
}

function words (value: string): Violation | undefined {
  const { length } = parseWords(value)
  if ([...value].length > 200) return { rule: 'length', maximum: 200, detail: 'Must have at most 200 characters.' }
  if (length === 0) return { rule: 'letter', detail: 'Must have a letter or a digit.' }
  return length > MAX_WORDS ? { rule: 'words', maximum: MAX_WORDS, detail: `Must have at most ${MAX_WORDS} words; it has ${length}.` } : undefined
}

function moment (value: string): Violation | undefined {
  const [, day = ''] = time.exec(value) ?? []
  // Date.parse accepts February 30, as March 2.
  const isDay = day !== '' && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
  if (isDay && !Number.isNaN(Date.parse(value.toUpperCase()))) return undefined
  // In a query, a + that is not escaped is a space.
  const hint = /t.* \d\d:\d\d$/i.test(value) ? '; write + as %2B' : ''
  return { detail: `Must be a time such as 2030-12-31T23:59:59Z (RFC 3339)${hint}.` }
}

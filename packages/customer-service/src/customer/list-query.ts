import { parse } from 'node:querystring'
import { queryInvalid } from '../problems/list.js'
import type { ListQuery, Position } from '../stores/search/query.js'
import { parseCursor, printCursor } from './cursor.js'
import { parameters, printFirst, printList, readFilters, readSort, type ParameterName, type Values } from './list-parameters.js'
import { nearest } from './nearest.js'

const LIMIT = 50

/** What a request asks of the list. */
export interface ListRequest {
  query: ListQuery
  /** Whether to count the customers of the list. */
  total: boolean
  /** The query of the first page, for its URL. */
  first: string
  /** The query of the page that begins at a position, and its cursor. */
  next (position: Position): { parameters: string, cursor: string }
}

/**
 * Parses the query of a list.
 * @param text what follows `?`; empty if there is none
 * @throws ProblemError `query-invalid` with every parameter that is wrong
 */
export function parseListQuery (text: string): ListRequest {
  const values = check(read(text))
  const list = printList(values)
  const order = readSort(values)
  const after = values.cursor === undefined ? undefined : parseCursor(values.cursor, order.sort, list)
  if (values.cursor !== undefined && after === undefined) {
    throw parametersError([{
      field: 'cursor',
      detail: 'Is of a list with another sort or other filters, or was changed. Ask for the first page again.'
    }])
  }
  const { limit, total } = values
  const first = printFirst(values)
  return {
    query: { ...order, filters: readFilters(values), limit: Number(limit ?? LIMIT), ...after === undefined ? {} : { after } },
    total: total === 'true',
    first,
    next (position) {
      const cursor = printCursor(position, list)
      return { parameters: `${first}${first === '' ? '' : '&'}cursor=${cursor}`, cursor }
    }
  }
}

/** Parses the query as strictly as a form. */
function read (text: string) {
  try {
    // parse() ignores broken escapes.
    decodeURIComponent(text)
  } catch (cause) {
    throw queryInvalid('A % in the query is not followed by the hexadecimal digits of UTF-8. Write % itself as %25.', { cause })
  }
  return parse(text, '&', '=', { maxKeys: 0 })
}

function check (given: ReturnType<typeof read>): Values {
  const errors = Object.entries(given).flatMap(([field, value]) => {
    const detail = isParameter(field) ? checkValue(field, value) : unknown(field)
    return detail === undefined ? [] : [{ field, detail }]
  })
  if (errors.length > 0) throw parametersError(errors.slice(0, 32))
  // as: each is known and occurs once, as checked above.
  return given as Values
}

function parametersError (errors: Array<{ field: string, detail: string }>) {
  return queryInvalid(`Correct the parameters in errors: ${errors.map(({ field }) => field).join(', ')}.`, { members: { errors } })
}

function isParameter (name: string): name is ParameterName {
  return Object.hasOwn(parameters, name)
}

function checkValue (name: ParameterName, value: string | string[] = '') {
  return typeof value === 'string' ? parameters[name](value) : `Must be sent once; it came ${value.length} times.`
}

function unknown (name: string) {
  const meant = nearest(name, Object.keys(parameters))
  return meant === undefined
    ? `There is no such parameter. There are ${Object.keys(parameters).join(', ')}.`
    : `There is no such parameter; did you mean \`${meant}\`?`
}

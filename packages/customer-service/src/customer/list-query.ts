import type { ListQuery, Position } from '../stores/search/query.js'
import { parseCursor, printCursor } from './cursor.js'
import { parameters, printFirst, printList, readFilters, readSort } from './list-parameters.js'
import { parametersError, parseQuery } from './query.js'

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
  const values = parseQuery(text, parameters)
  const list = printList(values)
  const order = readSort(values)
  const after = values.cursor === undefined ? undefined : parseCursor(values.cursor, order.sort, list)
  if (values.cursor !== undefined && after === undefined) {
    throw parametersError([{
      field: 'cursor',
      detail: 'Belongs to a list with another order or other filters, or was modified. Request the first page again.'
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

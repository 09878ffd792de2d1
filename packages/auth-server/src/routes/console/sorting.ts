import type { MessageKey } from '../../languages/languages.js'
import { timeOrders, type TimeOrder } from '../../stores/access/time-order.js'
import { queryWith } from './words.js'

/** The heading of a sortable column. `sorted`: the current order, if the list is sorted by it. */
interface SortHead { readonly label: MessageKey, readonly href: string, readonly sorted?: 'ascending' | 'descending' | undefined }

/** The order in a query; `undefined`: by name. */
export function orderOf (text: string | undefined): TimeOrder | undefined {
  return timeOrders.find(order => order === text)
}

/** The headings of a list that can be sorted by name or by when rows were added. A second click reverses the latter. */
export function sortHeads (
  order: TimeOrder | undefined, filter: Readonly<Record<string, string | undefined>>, name: MessageKey
): { readonly name: SortHead, readonly added: SortHead } {
  return {
    name: { label: name, href: queryWith(filter), sorted: order === undefined ? 'ascending' : undefined },
    added: {
      label: 'console.added',
      href: queryWith({ ...filter, sort: order === 'newest' ? 'oldest' : 'newest' }),
      sorted: order === undefined ? undefined : order === 'newest' ? 'descending' : 'ascending'
    }
  }
}

import { timeOrders, type TimeOrder } from '../../stores/access/time-order.js'
import { queryWith } from './words.js'

/** The head of a column that a list can be sorted by. `sorted`: how it is sorted by it now. */
interface SortHead { readonly label: string, readonly href: string, readonly sorted?: 'ascending' | 'descending' | undefined }

/** The order that an address names; `undefined`: by name. */
export function orderOf (text: string | undefined): TimeOrder | undefined {
  return timeOrders.find(order => order === text)
}

/** The heads of a list that is sorted by name, or by when its rows were added: a second press turns that order around. */
export function sortHeads (
  order: TimeOrder | undefined, filter: Readonly<Record<string, string | undefined>>, name: string
): { readonly name: SortHead, readonly added: SortHead } {
  return {
    name: { label: name, href: queryWith(filter), sorted: order === undefined ? 'ascending' : undefined },
    added: {
      label: 'Added',
      href: queryWith({ ...filter, sort: order === 'newest' ? 'oldest' : 'newest' }),
      sorted: order === undefined ? undefined : order === 'newest' ? 'descending' : 'ascending'
    }
  }
}

// The selection: some rows, or all customers that match the search, except some.
import { customers } from '../register.js'
import { state, update } from '../state.js'
import { MAX_LIMIT, shownQuery } from './list.js'

/** The row where a range of rows begins. */
let anchor = null

/** Whether a customer is selected. */
export const isSelected = id => state.selected.isAll !== state.selected.ids.has(id)

/** The selected rows. */
export const selectedRows = () => state.list.items.filter(({ customerid }) => isSelected(customerid))

/** How many are selected: `{ count, more }`; `more` if there are more than were counted. */
export function selectedTotal () {
  const { isAll, ids } = state.selected
  const { next, total } = state.list
  // Only a part of the register has been counted if there are many matches.
  if (isAll && next && total) return { count: total.count - ids.size, more: total.more }
  return { count: selectedRows().length, more: isAll && Boolean(next) }
}

/** Selects or deselects a row; with `isRange`, all rows from the previous one to this one. */
export function toggle (id, isRange = false) {
  choose(isRange ? between(anchor ?? id, id) : [id], !isSelected(id))
  anchor = id
}

/** Moves the end of the selected range from one row to another one. */
export function extend (from, to) {
  if (anchor === null || !isSelected(from)) anchor = from
  const range = between(anchor, to)
  choose(between(from, to).filter(id => !range.includes(id)), false)
  choose(range, true)
}

function choose (changed, isOn) {
  const { isAll, ids } = state.selected
  const kept = new Set(ids)
  for (const id of changed) {
    if (isOn === isAll) kept.delete(id)
    else kept.add(id)
  }
  update({ selected: { ...state.selected, ids: kept } })
  // Otherwise customers that are added later would be selected.
  if (isAll && selectedTotal().count === 0) clearSelection()
}

/** The customers' numbers, in the order of the rows. */
export const rowIds = () => state.list.items.map(({ customerid }) => customerid)

function between (from, to) {
  const ids = rowIds()
  const ends = [ids.indexOf(from), ids.indexOf(to)]
  return ids.slice(Math.min(...ends), Math.max(...ends) + 1)
}

/** Selects the rows, or none. */
export const selectRows = isOn => select({ isAll: false, ids: new Set(isOn ? rowIds() : []) })

/** Selects all customers that match the search, including those whose rows are not loaded. */
export const selectAll = () => state.list.next
  ? select({ isAll: true, ids: new Set(), counted: state.list.total })
  : selectRows(true)

/** Clears the selection. */
export const clearSelection = () => selectRows(false)

/** Clears the selection, and leaves the focus to what follows, such as a removal: in the search, letters are no shortcuts. */
export const deselect = () => set({ isAll: false, ids: new Set() })

function set (selected) {
  anchor = null
  return update({ selected })
}

/** If the focused element disappears, the selection's first button gets the focus, or the search. */
async function select (selected) {
  await set(selected)
  /** @type {HTMLElement} */
  const first = document.querySelector('.selection button, #search')
  if (document.activeElement === document.body) first?.focus()
}

/** Reads the selected customers: first the rows, then the pages that are not loaded. `persist` calls a request until it succeeds. */
export async function * selectedPages ({ persist, signal }) {
  const { isAll, ids } = state.selected
  const query = shownQuery()
  let { items, next: cursor } = state.list
  const seen = new Set(items.map(({ customerid }) => customerid))
  yield selectedRows()
  for (cursor = isAll ? cursor : undefined; cursor;) {
    ({ items, next: cursor } = await persist(() => customers.page({ ...query, cursor, limit: MAX_LIMIT }, { signal, retries: 0 })))
    // A customer that changes in the meantime can be on two pages.
    yield items.filter(({ customerid }) => !ids.has(customerid) && !seen.has(customerid))
    for (const { customerid } of items) seen.add(customerid)
  }
}

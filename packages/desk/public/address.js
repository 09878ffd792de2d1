// The place in the desk, kept in the address: the search, the order, and the customer in the panel. Defaults are left out.
import { columns, fieldOf } from './list/columns.js'

/** The first place: all customers by name, and no panel. */
export const start = { q: '', sort: 'name', customer: undefined }

/** Each change to the address waits for the previous one: browsers take a moment to go back. */
let settled = Promise.resolve()
let arrived = null

/** A browser that refuses a change, because there were too many, accepts later ones. */
const enqueue = change => { settled = settled.then(change).catch(reportError) }

/**
 * The place in the address. `customer` is a number, or the id of a new customer's draft.
 * @returns {{ q: string, sort: string, customer?: number | string }}
 */
export function place () {
  const { q, sort, customer } = Object.fromEntries(new URLSearchParams(location.search))
  const known = columns.some(column => fieldOf(column.sort) === fieldOf(sort ?? ''))
  return { q: q ?? start.q, sort: known ? sort : start.sort, customer: customerIn(customer) }
}

function customerIn (text) {
  if (/^-?\d{1,10}$/.test(text)) return Number(text)
  if (/^new\d*$/.test(text)) return text
}

/** Changes the place. `push` adds a history entry for the panel, so that Back closes it. */
export function go (changes, { push = false } = {}) {
  enqueue(() => {
    const before = place()
    const query = new URLSearchParams(Object.entries({ ...before, ...changes }).filter(([name, value]) => value !== start[name]))
    const address = query.size > 0 ? `/?${query}` : '/'
    if (address === location.pathname + location.search) return
    // A panel that replaces another one gets no entry of its own.
    if (push && before.customer === undefined) history.pushState({ isPanel: true }, '', address)
    else history.replaceState(history.state, '', address)
  })
}

/** Leaves the panel's place: goes back to the entry before, if the desk added one for the panel. */
export function leavePanel () {
  enqueue(() => {
    // The user has gone back already.
    if (place().customer === undefined) return
    if (!history.state?.isPanel) return go({ customer: undefined })
    return new Promise(resolve => {
      arrived = resolve
      history.back()
    })
  })
}

/** Calls `show` after the user goes back or forward. */
export function onPlace (show) {
  addEventListener('popstate', () => {
    if (!arrived) return show()
    arrived()
    arrived = null
  })
}

// The list of customers: search as you type, sort, page by page. What could be shown stays when the service does not answer.
import { refusalOf } from './refusal.js'
import { customers, end } from './session.js'
import { may, state, update } from './state.js'

/** How long a person stops typing before the service is asked, in milliseconds. */
const PAUSE = 150
const PAGE = 50
/** The longest page of the service. */
const LONGEST = 200
/** Pages that are followed before the person is asked: a search examines a part of the register for each, and may find nothing. */
const MOST_PAGES = 20
/** The longest time between two retries, in seconds. */
const LONGEST_WAIT = 60

let asked = new AbortController()
let typing
let retrying
let failures = 0

/**
 * Begins with an empty list. `next` is the cursor of the next page; `stale` why the rows may be out of date; `error` why
 * there are none; `wrong` what cannot be searched for.
 */
export function begin () {
  update({ list: { q: '', sort: 'name', items: [], next: undefined, total: null, busy: false, loaded: null, stale: null, error: null, wrong: null } })
  return load()
}

/** Ends what is under way. */
export function stop () {
  asked.abort()
  clearTimeout(typing)
  clearTimeout(retrying)
}

/** Searches once the person stops typing. */
export function search (q) {
  set({ q })
  clearTimeout(typing)
  typing = setTimeout(load, PAUSE)
}

/** Sorts by `id`, `name` or `updated`; by the same again in the other direction. */
export function sortBy (key) {
  set({ sort: state.list.sort === key ? `-${key}` : key })
  return load()
}

/** Adds the next page. */
export const more = () => load({ more: true })

/** Asks again for as many rows as are there. */
export const refresh = () => load({ wanted: state.list.items.length })

/** Puts a customer in the place of an earlier version of it. */
export function replace (customer) {
  const { items } = state.list
  set({ items: items.map(item => item.customerid === customer.customerid ? { ...item, ...customer } : item) })
}

async function load ({ more = false, wanted = 1 } = {}) {
  // What was asked before is no longer wanted: a late answer must not replace a newer one.
  stop()
  asked = new AbortController()
  const { signal } = asked
  if (!may('read')) return set({ error: 'forbidden' })
  set({ busy: true })
  try {
    const { q, sort, next } = state.list
    const query = { ...(q.trim() ? { q } : {}), sort, cursor: more ? next : undefined }
    const [page, exact] = await Promise.all([find(query, wanted, signal), more ? null : byNumber(q)])
    if (signal.aborted) return
    failures = 0
    show(page, { more, exact })
  } catch (error) {
    if (!signal.aborted) fail(refusalOf(error))
  }
}

/** As many customers as are wanted, or more. An empty page may have a next one, with customers that match. */
async function find ({ cursor, ...query }, wanted, signal) {
  const items = []
  let total
  for (let pages = 1; ; pages++) {
    const limit = Math.min(LONGEST, Math.max(PAGE, wanted - items.length))
    const page = await customers.page({ ...query, limit, cursor, total: cursor === undefined || undefined }, { signal, retries: 0 })
    total ??= page.total
    items.push(...page.items)
    if (items.length >= wanted || !page.next || pages === MOST_PAGES) return { items, next: page.next, total }
    cursor = page.next
  }
}

/** The customer with this number, if that is what the person looks for. */
async function byNumber (q) {
  if (!/^\s*[1-9]\d{0,9}\s*$/.test(q)) return null
  return customers.read(q.trim()).catch(() => null)
}

function show (page, { more, exact }) {
  const before = more ? state.list.items : []
  // A customer that was changed meanwhile can come again.
  const known = new Set(before.map(({ customerid }) => customerid))
  const first = exact && !page.items.some(({ customerid }) => customerid === exact.customerid) ? [exact] : []
  const items = [...before, ...first, ...page.items.filter(({ customerid }) => !known.has(customerid))]
  const total = page.total ? { ...page.total, count: page.total.count + first.length } : state.list.total
  const shown = new Set(items.map(({ customerid }) => customerid))
  update({
    selected: new Set([...state.selected].filter(id => shown.has(id))),
    active: shown.has(state.active) ? state.active : items[0]?.customerid ?? null
  })
  return set({ items, total, next: page.next, busy: false, loaded: new Date(), stale: null, error: null, wrong: null })
}

function fail (refusal) {
  const { loaded } = state.list
  const { status, sentence, errors, temporary, wait } = refusal
  if (status === 401) return end(sentence)
  if (status === 403) return set({ busy: false, error: 'forbidden', items: [] })
  if (errors.q) return set({ busy: false, wrong: errors.q })
  if (temporary) {
    const seconds = wait ?? Math.min(LONGEST_WAIT, 5 * 2 ** failures++)
    retrying = setTimeout(refresh, seconds * 1000)
  }
  set(loaded ? { busy: false, stale: refusal } : { busy: false, error: refusal })
}

function set (changes) {
  return update({ list: { ...state.list, ...changes } })
}

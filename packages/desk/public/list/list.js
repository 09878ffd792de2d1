// The customer list: search as you type, sorting, paging. Rows stay visible while the service is unavailable.
import { go, place, start } from '../address.js'
import { fieldOf } from './columns.js'
import { lost, reached } from '../parts/connection.js'
import { backOff, customers, refusalOf } from '../register.js'
import { may, state, update, updateIn } from '../state.js'
import { t, toAsciiDigits } from '../language.js'

const TYPING_PAUSE_MS = 150
const MIN_LIMIT = 50
/** The most customers on a page. */
export const MAX_LIMIT = 200
/** How many pages to follow before asking the user: each examines only a part of the register, and can be empty. */
const MAX_PAGES = 20

// "age 34", "aged 30-39", "34 years old": in English, and in the user's language.
const ages = new RegExp(String.raw`(?<!\S)(?:(?:age|aged|${t('search.wordsBeforeAge')}) (-?\d+)(?: ?[-–] ?(-?\d+))?` +
  String.raw`|(\d+) (?:years?(?: old)?|${t('search.wordsAfterAge')}))(?!\S)`, 'iu')

let asked = new AbortController()
let newest
let typing
let retrying
let failures = 0

/**
 * Clears the list, with the search and the order of a place. `shown` is the text that the rows match; `sorted` their order;
 * `loaded` when they arrived; `next` the cursor of the next page; `stale` why the rows might be out of date; `error` why none are
 * shown; `wrong` what cannot be searched for; `removed` the removed customer that had the searched number; `successor` the number of
 * the customer that it was merged into.
 */
export const clear = ({ q, sort } = place()) => update({ list: { text: q, shown: null, sort, items: [], busy: true } })

/** Starts over, with all customers. */
export function begin () {
  clear(start)
  return load()
}

/** Shows the search and the order of a place, if it is another one. */
export function showList ({ q, sort }) {
  if (q === state.list.text && sort === state.list.sort) return
  updateIn('list', { text: q, sort })
  return load()
}

/** Searches once the user stops typing (debounce). */
export function search (text) {
  updateIn('list', { text })
  clearTimeout(typing)
  typing = setTimeout(load, TYPING_PAUSE_MS)
}

/** Sorts by a sort key, and goes to the first row; the same key again reverses the order. */
export function sortBy (key) {
  const reversed = key === fieldOf(key) ? `-${key}` : fieldOf(key)
  updateIn('list', { sort: state.list.sort === key ? reversed : key })
  scrollTo(0, 0)
  return load()
}

/** Adds the next page. */
export const more = () => load({ more: true })

/** Reloads as many rows as are shown. */
export const refresh = () => load({ wanted: state.list?.items.length })

/** Resolves when the rows of this request, or of a later one that replaced it, are shown. */
const load = options => (newest = ask(options))

async function ask ({ more = false, wanted = 1 } = {}) {
  // Aborts the previous request: a late response must not replace a newer one.
  asked.abort()
  clearTimeout(typing)
  clearTimeout(retrying)
  const { signal } = asked = new AbortController()
  if (!may('read')) return updateIn('list', { error: 'forbidden' })
  const { signal: ended } = state.session
  updateIn('list', { busy: true })
  try {
    const { text, sort, next } = state.list
    go({ q: text, sort })
    const query = { ...queryOf(text), sort, cursor: more ? next : undefined }
    const page = await find(query, wanted, signal)
    const number = page.items.length > 0 || more ? null : numberIn(text)
    const last = number === null ? null : await lastChangeOf(number)
    if (ended.aborted) return
    if (signal.aborted) return newest
    failures = 0
    show(page, more ? state.list.items : [], { shown: text, sorted: sort, removed: removedIn(last, number), successor: last?.successor })
    reached()
  } catch (error) {
    if (ended.aborted) return
    if (signal.aborted) return newest
    fail(refusalOf(error))
  }
}

const find = ({ cursor, ...query }, wanted, signal) => readPages(cursor, (next, missing) => {
  const limit = Math.min(MAX_LIMIT, Math.max(MIN_LIMIT, missing))
  return customers.page({ ...query, limit, cursor: next, total: next === undefined || undefined }, { signal, retries: 0 })
}, wanted)

/**
 * Follows pages until there are as many items as wanted: an empty page can have a next one with items.
 * @param {string | undefined} cursor
 * @param {(cursor: string | undefined, missing: number) => Promise<{ items: any[], next?: string, total?: any }>} read
 */
export async function readPages (cursor, read, wanted = 1) {
  const items = []
  let total
  for (let pages = 1; ; pages++) {
    const page = await read(cursor, wanted - items.length)
    total ??= page.total
    items.push(...page.items)
    cursor = page.next
    if (items.length >= wanted || !cursor || pages === MAX_PAGES) return { items, next: cursor, total }
  }
}

/** The latest change to the customer with a number, even a removed one, while its history is kept. */
export const lastChangeOf = number => customers.history(number, { limit: 1 }).then(({ items }) => items[0], () => null)

/** The customer as it was before its last change removed it; null if it did not, or the customer was erased. */
export const removedIn = (last, customerid) => last?.kind === 'removed' && last.before ? { customerid, ...last.before, ...last } : null

/** Shows the previous rows, then a page's. A customer that changed in the meantime can be in both. */
function show (page, before, changes) {
  const rows = new Map([...before, ...page.items].map(item => [item.customerid, item]))
  const items = [...rows.values()]
  const total = page.total ?? state.list.total
  update({
    selected: changes.shown === state.list.shown ? stillSelected(rows) : { isAll: false, ids: new Set() },
    active: rows.has(state.active) ? state.active : items[0]?.customerid ?? null
  })
  end({ items, total, next: page.next, loaded: new Date(), ...changes })
}

/** A row that disappears is deselected; an exception stays one. */
function stillSelected (rows) {
  const { isAll, ids } = state.selected
  return isAll ? state.selected : { isAll, ids: new Set([...ids].filter(id => rows.has(id))) }
}

function fail (refusal) {
  const { isAway, status, errors: { q, age_gte: from, age_lte: to }, temporary, wait } = refusal
  const wrong = q ?? from ?? to
  if (status === 403) return end({ error: 'forbidden', items: [] })
  if (wrong) return end({ wrong })
  if (isAway) lost()
  if (temporary) retrying = setTimeout(refresh, backOff(wait, failures++))
  // Rows from an earlier search would look like matches.
  end({ [state.list.shown === state.list.text ? 'stale' : 'error']: refusal })
}

const end = changes => updateIn('list', { busy: false, stale: null, error: null, wrong: null, ...changes })

/** The register query for the rows. */
export const shownQuery = () => ({ ...queryOf(state.list.shown), sort: state.list.sorted })

/** The register query for a search text. */
function queryOf (typed) {
  const text = toAsciiDigits(typed)
  const [found = '', from, to, years] = ages.exec(text) ?? []
  const words = text.replace(found, ' ').trim()
  return { q: words || undefined, age_gte: from ?? years, age_lte: to ?? from ?? years }
}

/** A text as a customer number or an age; null if it is not a number. */
export function numberIn (typed) {
  const text = toAsciiDigits(typed)
  return /^\s*-?\d{1,10}\s*$/.test(text) ? Number(text) : null
}

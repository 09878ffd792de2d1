// The register as a list: search as you type, page by page. A row opens the dialog of edit.js.
import { Refusal } from './customers.js'
import { clearNotes, element, markFields } from './result.js'

const section = document.getElementById('browse')
const form = section.querySelector('form')
const rows = section.querySelector('tbody')
const found = document.getElementById('found')
const more = document.getElementById('more')

/** How long a person stops typing before the service is asked, in milliseconds. */
const PAUSE = 200

/**
 * Lets the list be used.
 * @param {() => import('./customers.js').Customers | null} current whom to ask; null when signed out
 * @param {(customer: object) => void} open called with the customer of a row that was chosen
 * @param {(refusal: Refusal, form: HTMLFormElement) => void} refused called when the token is not taken any more
 * @returns {{ refresh: () => Promise<void>, clear: () => void }}
 */
export function wireList (current, open, refused) {
  let asked = new AbortController()
  let typing

  form.addEventListener('submit', event => {
    event.preventDefault()
    refresh()
  })
  form.addEventListener('input', () => {
    clearTimeout(typing)
    typing = setTimeout(refresh, PAUSE)
  })
  more.addEventListener('click', () => load(more.dataset.cursor))

  /** Asks for the first page again. */
  async function refresh () {
    clearTimeout(typing)
    await load()
  }

  async function load (cursor) {
    // What was asked before is no longer wanted: a late answer must not stand in the place of a newer one.
    asked.abort()
    asked = new AbortController()
    const { signal } = asked
    const customers = current()
    if (customers === null) return
    const { q, sort } = Object.fromEntries(new FormData(form))
    section.ariaBusy = 'true'
    try {
      const page = await customers.list({ ...(q.trim() ? { q } : {}), sort, limit: 20, ...(cursor ? { cursor } : {}) }, signal)
      clearNotes(form)
      const made = page.items.map(makeRow)
      if (cursor) rows.append(...made)
      else rows.replaceChildren(...made)
      if (cursor) made[0]?.querySelector('button').focus()
      more.hidden = !page.next
      more.dataset.cursor = page.next ?? ''
      found.textContent = describe(rows.childElementCount, page.next)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof Refusal)) throw error
      if (error.status === 401) return refused(error, form)
      if (!cursor) clear()
      clearNotes(form)
      // What is wrong with a list is said in its place: the list is often asked for after something else was done.
      if (markFields(error.problem, form).length === 0) {
        found.textContent = [error.message, error.problem.detail, error.advice].filter(Boolean).join(' ')
      }
    } finally {
      if (!signal.aborted) section.ariaBusy = 'false'
    }
  }

  function makeRow (customer) {
    const { customerid, customername, customerage, customeraddress } = customer
    const button = element('button', { type: 'button', className: 'link' }, customername)
    button.addEventListener('click', () => open(customer))
    return element('tr', {},
      element('td', { className: 'number' }, String(customerid)),
      element('td', {}, button),
      element('td', { className: 'number' }, String(customerage)),
      element('td', {}, customeraddress))
  }

  function clear () {
    asked.abort()
    section.ariaBusy = 'false'
    rows.replaceChildren()
    found.textContent = ''
    more.hidden = true
  }

  return { refresh, clear }
}

function describe (count, next) {
  if (count === 0) return 'No customers found. Search for something else, or register a customer below.'
  const people = count === 1 ? '1 customer' : `${count} customers`
  return next ? `The first ${people}.` : `${people}.`
}

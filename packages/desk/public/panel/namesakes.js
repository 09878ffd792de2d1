// While a new customer is typed: customers that may be the same person. The service compares, as its search does.
import { rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { button } from '../parts/parts.js'
import { customers, nameOf } from '../register.js'
import { may } from '../state.js'

const TYPING_PAUSE_MS = 400
const TIMEOUT_MS = 3_000
const [MAX_FOUND, MAX_SHOWN, MAX_WORDS] = [10, 3, 8]

let typing
let asked = new AbortController()

/** Looks up a new customer's name once the user stops typing, and shows the matches. */
export function lookUpSoon (values, show) {
  clearTimeout(typing)
  typing = setTimeout(async () => show(await namesakesOf(values)), TYPING_PAUSE_MS)
}

/**
 * Customers with this name; first those with the same address or age, which have `isSame`. None if the service does not respond:
 * the warning is only a help. A later call aborts an earlier one.
 */
export async function namesakesOf ({ customername, customerage, customeraddress }) {
  clearTimeout(typing)
  asked.abort()
  const { signal } = asked = new AbortController()
  const name = customername.trim()
  if (!name || !may('read')) return []
  const find = (q = undefined) => customers.page({ name, q, limit: MAX_FOUND }, { signal, retries: 0, timeoutMs: TIMEOUT_MS })
    .then(({ items }) => items, () => [])
  const words = (customeraddress.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, MAX_WORDS).join(' ')
  const [items, there] = await Promise.all([find(), words ? find(words) : []])
  const found = new Map([...there, ...items].map(item => [item.customerid, item]))
  const isSame = ({ customerid, customerage: age }) => there.some(it => it.customerid === customerid) || String(age) === customerage.trim()
  return [...found.values()].map(item => ({ ...item, isSame: isSame(item) })).sort((one, other) => other.isSame - one.isSame)
}

/** Says who may be the same person. */
export const sentenceOf = customer => t(customer.customeraddress ? 'panel.namesake' : 'panel.namesakeWithoutAddress', {
  name: nameOf(customer), address: customer.customeraddress, number: customer.customerid
})

/** The warning below the name. */
export const namesakesView = (found, open) => html`<div class="namesakes" role="status">${found.length === 0
  ? nothing
  : found.slice(0, MAX_SHOWN).map(it => html`<p>${sentenceOf(it)}
      ${button(rich('panel.openNamesake', { number: it.customerid }), () => open(it), 'link')}</p>`)}</div>`

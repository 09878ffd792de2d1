// Numbers and times, as people read them.
import { html } from './lit/lit-html.js'

/** A number of things. */
export const count = number => number.toLocaleString('en')

/** A number of customers. */
export const customersOf = number => `${count(number)} ${number === 1 ? 'customer' : 'customers'}`

/** A number of customers, and the verb. */
export const customersAre = number => `${customersOf(number)} ${number === 1 ? 'is' : 'are'}`

/** A time, with its date; or only the date. */
export function time (text, style = { dateStyle: 'medium', timeStyle: 'short' }) {
  return html`<time datetime=${text}>${new Date(text).toLocaleString('en-GB', style)}</time>`
}

/** A time that is left, in seconds, as `1:05`. */
export function minutes (seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

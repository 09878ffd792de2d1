// Numbers and times, as people read them.
import { html } from './lit/lit-html.js'

const numbers = new Intl.NumberFormat('en')

/** A number of things. */
export const count = number => numbers.format(number)

/** A number of customers. */
export const customersOf = number => `${count(number)} ${number === 1 ? 'customer' : 'customers'}`

/** A number of customers, and the verb. */
export const customersAre = number => `${customersOf(number)} ${number === 1 ? 'is' : 'are'}`

/** A time, with its date. */
export function time (text) {
  return html`<time datetime=${text}>${new Date(text).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}</time>`
}

/** A time that is left, in seconds, as `1:05`. */
export function minutes (seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

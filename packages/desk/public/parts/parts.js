// Shared parts of the views: icons, buttons, numbers and times.
import { html } from '../lit/lit-html.js'

/** Renders an icon, a symbol in page.eta. It is hidden from screen readers: its parent has a name. */
export const icon = name => html`<svg class="icon" aria-hidden="true"><use href="#icon-${name}"></use></svg>`

/** Renders a labeled button. */
export const button = (label, run, kind = '') => html`<button class=${kind} type="button" @click=${run}>${label}</button>`

// Made once: making one takes longer than rendering a row.
const numbers = new Intl.NumberFormat('en')
const times = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })

/** Formats a number. */
export const count = number => numbers.format(number)

/** A number of customers. */
export const customersOf = number => `${count(number)} ${number === 1 ? 'customer' : 'customers'}`

/** A date or its text, in the browser's time zone, such as `28 Nov 2026, 21:05`. */
export function time (when) {
  const date = new Date(when)
  return html`<time datetime=${date.toISOString()}>${times.format(date)}</time>`
}

/** Formats remaining seconds, such as `1:05`. */
export const minutes = seconds => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

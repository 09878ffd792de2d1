// Shared parts of the views: icons, buttons, numbers and times.
import { html } from '../lit/lit-html.js'

/** Renders an icon, a symbol in index.html. It is hidden from screen readers: its parent has a name. */
export const icon = name => html`<svg class="icon" aria-hidden="true"><use href="#icon-${name}"></use></svg>`

/** Renders a labeled button. */
export const button = (label, run, kind = '') => html`<button class=${kind} type="button" @click=${run}>${label}</button>`

/** Formats a number. */
export const count = number => number.toLocaleString('en')

/** A number of customers. */
export const customersOf = number => `${count(number)} ${number === 1 ? 'customer' : 'customers'}`

/** A time with its date, or only the date. */
export const time = (text, style = { dateStyle: 'medium', timeStyle: 'short' }) =>
  html`<time datetime=${text}>${new Date(text).toLocaleString('en-GB', style)}</time>`

/** Formats remaining seconds, such as `1:05`. */
export const minutes = seconds => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

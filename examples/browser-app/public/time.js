// Times, as people read them.
import { html } from './lit/lit-html.js'

const days = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** A time, with its date. */
export function time (text) {
  return html`<time datetime=${text}>${new Date(text).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}</time>`
}

/** How long ago a time is; a date if it is long ago. */
export function ago (time) {
  const minutes = Math.round((Date.now() - new Date(time)) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return days.format(-minutes, 'minute')
  if (minutes < 60 * 24) return days.format(-Math.round(minutes / 60), 'hour')
  if (minutes < 60 * 24 * 30) return days.format(-Math.round(minutes / 60 / 24), 'day')
  return new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
}

/** A time that is left, in seconds, as `1:05`. */
export function minutes (seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

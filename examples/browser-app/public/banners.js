// The bars above the table: the access ends soon, or the rows may be out of date.
import { html, nothing } from './lit/lit-html.js'
import { icon } from './icons.js'
import { refresh } from './list.js'
import { stay } from './session.js'
import { state } from './state.js'
import { minutes } from './words.js'

/** Warns a minute before the access ends. */
export function warningView () {
  const { warning, left } = state.session ?? {}
  if (!warning) return nothing
  const rest = html`<span role="timer">${minutes(left)}</span> left. What you type is kept.`
  return banner('warning', warning, rest, html`<button type="button" @click=${stay}>Stay signed in</button>`)
}

/** Says that the rows are of an earlier time, and since when. */
export function staleView () {
  const { stale, loaded, busy } = state.list
  if (!stale) return nothing
  const rest = `These rows are as of ${loaded.toLocaleTimeString('en-GB')}. The app tries again by itself.`
  return banner('offline', `${stale.title}.`, rest, html`<button type="button" ?disabled=${busy} @click=${refresh}>Try again</button>`)
}

function banner (picture, alert, rest, button) {
  return html`<div class="banner">${icon(picture)}<p><span role="alert">${alert}</span> ${rest}</p>${button}</div>`
}

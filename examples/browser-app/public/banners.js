// The two bars above the table: the access ends soon, and the rows may be out of date.
import { html, nothing } from './lit/lit-html.js'
import { icon } from './icons.js'
import { refresh } from './list.js'
import { stay } from './session.js'
import { state } from './state.js'
import { minutes } from './time.js'

/** Warns a minute before the access ends. */
export function warningView () {
  const { warning, left } = state.session ?? {}
  if (!warning) return nothing
  return html`<div class="banner">${icon('warning')}<p><span role="alert">${warning}</span>
    <span role="timer">${minutes(left)}</span> left. What you type is kept.</p>
    <button type="button" @click=${stay}>Stay signed in</button></div>`
}

/** Says that the rows are of an earlier time, and since when. */
export function staleView () {
  const { stale, loaded, busy } = state.list
  if (!stale) return nothing
  return html`<div class="banner">${icon('offline')}<p><span role="alert">${stale.title}.</span>
    These rows are as of ${loaded.toLocaleTimeString('en-GB')}. The app tries again by itself.</p>
    <button type="button" ?disabled=${busy} @click=${refresh}>Try again</button></div>`
}

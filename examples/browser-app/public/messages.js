// One message at a time, at the foot of the page. A new one replaces it, and it goes away by itself: desk.css says when.
import { html, nothing } from './lit/lit-html.js'
import { keyed } from './lit/directives/keyed.js'
import { icon } from './icons.js'
import { state, update } from './state.js'

/** Says what was done. `action` is `{ label, run }`, such as Undo. */
export function say (title, { detail, action } = {}) {
  update({ message: { role: 'status', title, detail, action, lasts: action ? 'longer' : 'short' } })
}

/** Says what went wrong. It stays where the person cannot work on: at sign-in. */
export function warn (title, { detail, action } = {}) {
  update({ message: { role: 'alert', title, detail, action, lasts: state.session ? 'long' : 'ever' } })
}

/** Takes the message away. */
const clear = () => update({ message: null })

/** Runs what the message offers, if anything. */
export function act () {
  const { action } = state.message ?? {}
  if (!action) return
  clear()
  action.run()
}

/** The place of the message. It is there without one, too: a screen reader announces what changes in it. */
export function messageView () {
  const { message } = state
  return html`<div id="message" tabindex="-1" role=${message?.role ?? 'status'}>${message ? keyed(message, toast(message)) : nothing}</div>`
}

function toast ({ role, title, detail, action, lasts }) {
  return html`<div class="toast ${lasts}" @animationend=${({ animationName }) => { if (animationName === 'stay') clear() }}>
    ${icon(role === 'alert' ? 'warning' : 'done')}
    <div><p class="title">${title}</p>${detail ? html`<p class="detail">${detail}</p>` : nothing}</div>
    ${action ? html`<button class="quiet" type="button" @click=${act}>${action.label}</button>` : nothing}
    <button class="icon" type="button" aria-label="Close" @click=${clear}>${icon('close')}</button>
  </div>`
}

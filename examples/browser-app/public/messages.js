// One message at a time, at the foot of the page. A new one replaces it, and it goes away by itself.
import { html, nothing } from './lit/lit-html.js'
import { icon } from './icons.js'
import { state, update } from './state.js'

/** How long a message stays, in milliseconds; not while the pointer or the keyboard is on it. */
const SHOWN = { status: 5_000, undo: 10_000, alert: 15_000 }

let leaving

/** Says what was done. `action` is `{ label, run }`, such as Undo. */
export function say (title, { detail, action } = {}) {
  put({ role: 'status', title, detail, action }, action ? SHOWN.undo : SHOWN.status)
}

/** Says what went wrong. It stays where the person cannot work on: at sign-in. */
export function warn (title, { detail, action } = {}) {
  put({ role: 'alert', title, detail, action }, state.session ? SHOWN.alert : undefined)
}

/** Takes the message away. */
export function clear () {
  clearTimeout(leaving)
  return update({ message: null })
}

/** Runs what the message offers; false if it offers nothing. */
export function act () {
  const { action } = state.message ?? {}
  if (!action) return false
  clear()
  action.run()
  return true
}

function put (message, shown) {
  update({ message: { ...message, shown } })
  wait()
}

function wait () {
  clearTimeout(leaving)
  const { shown } = state.message ?? {}
  if (shown) leaving = setTimeout(clear, shown)
}

const hold = () => clearTimeout(leaving)

/** The place of the message. It is there without one, too: a screen reader announces what changes in it. */
export function messageView () {
  const { message } = state
  return html`<div id="message" tabindex="-1" role=${message?.role ?? 'status'}
    @pointerenter=${hold} @pointerleave=${wait} @focusin=${hold} @focusout=${wait}>${message
      ? html`<div class="toast">
          ${icon(message.role === 'alert' ? 'warning' : 'done')}
          <div><p class="title">${message.title}</p>${message.detail ? html`<p class="detail">${message.detail}</p>` : nothing}</div>
          ${message.action ? html`<button class="quiet" type="button" @click=${act}>${message.action.label}</button>` : nothing}
          <button class="icon" type="button" aria-label="Close" @click=${clear}>${icon('close')}</button>
        </div>`
      : nothing}</div>`
}

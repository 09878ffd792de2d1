// One message at a time, at the bottom of the page, which disappears after a time set in controls.css. And the bars above the table.
import { rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { keyed } from '../lit/directives/keyed.js'
import { button, icon, minutes } from './parts.js'
import { stay } from '../session.js'
import { state, update } from '../state.js'

/** @typedef {{ detail?: string, action?: { label: string, run: () => unknown }, lasts?: string }} Options */

/**
 * Reports what was done. The action can be Undo.
 * @param {string} title
 * @param {Options} [options]
 */
export function say (title, { detail, action, lasts = action ? 'longer' : 'short' } = {}) {
  show({ role: 'status', title, detail, action, lasts })
}

/**
 * Reports an error. It stays visible if the user cannot continue: at sign-in.
 * @param {string} title
 * @param {Options} [options]
 */
export function warn (title, { detail, action, lasts = state.session ? 'long' : 'ever' } = {}) {
  show({ role: 'alert', title, detail, action, lasts })
}

/** A message about many customers returns after the next one: its Undo must not be lost. */
function show (message) {
  const { message: before } = state
  update({ message: { ...message, next: before?.lasts === 'minute' ? { ...before, next: null } : before?.next } })
}

/** Removes the message. */
const clear = () => update({ message: state.message?.next ?? null })

/** Runs the message's action, if any. */
export function act () {
  const { action } = state.message ?? {}
  if (!action) return
  clear()
  action.run()
}

/** The message's element. It always exists, because screen readers announce changes in it. */
export function messageView () {
  const { message } = state
  return html`<div id="message" tabindex="-1" role=${message?.role ?? 'status'}>${message ? keyed(message, toast(message)) : nothing}</div>`
}

function toast ({ role, title, detail, action, lasts }) {
  return html`<div class="toast ${lasts}" @animationend=${({ animationName }) => { if (animationName === 'stay') clear() }}>
    ${icon(role === 'alert' ? 'warning' : 'done')}
    <div><p class="title">${title}</p>${detail ? html`<p class="detail">${detail}</p>` : nothing}</div>
    ${action ? button(action.label, act, 'quiet') : nothing}
    <button class="icon" type="button" aria-label=${t('close')} @click=${clear}>${icon('close')}</button>
  </div>`
}

/** Warns a minute before the access expires. */
export function warningView () {
  const { warning, left } = state.session ?? {}
  if (!warning) return nothing
  const rest = rich('session.left', { time: html`<span role="timer">${minutes(left)}</span>` })
  return banner('warning', html`<span role="alert">${warning}</span>`, rest, button(t('session.stay'), stay))
}

/** A bar above the table. */
export const banner = (picture, title, rest, action) =>
  html`<div class="banner">${icon(picture)}<p>${title} ${rest}</p>${action}</div>`

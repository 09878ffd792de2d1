// Whether the register can be reached, and the bar that appears when it can't. The list finds out: it retries with backoff.
import { rich, t } from '../language.js'
import { html, nothing } from '../lit/lit-html.js'
import { refresh } from '../list/list.js'
import { banner } from './messages.js'
import { time } from './parts.js'
import { waiting } from '../panel/drafts.js'
import { retryWaiting, sendWaiting } from '../panel/waiting.js'
import { showCustomer } from '../show-place.js'
import { may, state, update } from '../state.js'

/** Follows the browser's connection. It can be wrong, so the list has the last word: a service on this computer needs no network. */
export function watchConnection () {
  addEventListener('offline', () => check(lost))
  addEventListener('online', () => check(may('read') ? retryWaiting : reached))
  // A reload keeps the waiting saves, but closing the tab would lose them.
  addEventListener('beforeunload', event => { if (state.session && waiting().length > 0) event.preventDefault() })
}

function check (first) {
  if (!state.session) return
  first()
  refresh()
}

/** Notes that the service does not respond. */
export const lost = () => update({ away: navigator.onLine ? 'service' : 'network' })

/** Notes that it does, and sends the saves that wait. */
export function reached () {
  if (state.away) {
    update({ away: null })
    // The customer in the address, if it could not be read.
    showCustomer()
  }
  sendWaiting()
}

/** The bar. Its element always exists, because screen readers announce changes in it. */
export function awayView () {
  return html`<div role="status">${state.away ? bar() : nothing}</div>`
}

function bar () {
  const { away, list: { loaded, busy } } = state
  const what = t(away === 'network' ? 'away.offline' : 'away.service')
  const since = loaded ? rich('away.updated', { time: time(loaded) }) : nothing
  return banner('offline', what, html`${t('away.kept')} ${since}`, html`<button type="button" ?disabled=${busy} @click=${refresh}>${t('tryAgain')}</button>`)
}

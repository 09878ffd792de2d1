// Signing in in a popup, which hands the response over to the page that opened it.
import { t } from './language.js'
import { warn } from './parts/messages.js'

const name = 'frontdesk-sign-in'

/** Opens the authorization server in a popup. If the browser blocks it, a message says so. */
export function openPopup (url) {
  if (!open(url, name, 'popup,width=480,height=720')) warn(t('session.popupBlocked'))
}

/** In the popup: passes the response on, and closes. False if this is not a popup, or the page that opened it was closed. */
export function handOver (answer) {
  if (window.name !== name || !window.opener || window.opener.closed) return false
  window.opener.postMessage({ type: name, answer: `${answer}` }, location.origin)
  window.close()
  return true
}

/** In the page that opened the popup: calls `receive` with the response. */
export function onHandOver (receive) {
  addEventListener('message', ({ origin, data }) => {
    if (origin === location.origin && data?.type === name) receive(new URLSearchParams(data.answer))
  })
}

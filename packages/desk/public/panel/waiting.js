// Saves that wait until the register can be reached. They are sent in order, even after a reload or a new sign-in. The user has
// confirmed each one; its idempotency key or ETag makes the service apply it once, and only to the version that the user saw.
import * as drafts from './drafts.js'
import { refresh } from '../list/list.js'
import { say } from '../parts/messages.js'
import { backOff } from '../register.js'
import { send } from './save.js'
import { state, update } from '../state.js'
import { t } from '../language.js'

let sending = false
let failures = 0
let retrying

/** Saves a draft as soon as possible. */
export async function wait (id) {
  drafts.keep({ ...drafts.draftOf(id), waiting: Date.now() })
  await update()
  // The list's retries notice when the service responds.
  if (!state.away) refresh()
}

/** Cancels a waiting save, and keeps its draft. */
export function stopWaiting (id) {
  const draft = drafts.draftOf(id)
  if (draft) drafts.keep({ ...draft, waiting: undefined })
  return update()
}

/** Whether waiting saves are sent when the browser is online again; otherwise, when the service responds. */
export const isOffline = () => state.away === 'network'

/** Sends the waiting saves, unless a retry follows. */
export async function sendWaiting () {
  if (sending || retrying || !state.session) return
  sending = true
  const { signal } = state.session
  const sent = await sendAll(signal).finally(() => { sending = false })
  if (sent > 1 && !signal.aborted) say(t('saved.many', { count: sent }))
}

/** @returns how many were saved */
async function sendAll (signal) {
  let sent = 0
  for (const { id } of drafts.waiting()) {
    // Saved or cancelled in the meantime.
    if (!drafts.draftOf(id)?.waiting) continue
    await send(id)
    if (signal.aborted) break
    if (drafts.draftOf(id)?.waiting) {
      retrying = setTimeout(retryWaiting, backOff(undefined, failures++))
      break
    }
    failures = 0
    if (!drafts.draftOf(id)) sent++
  }
  return sent
}

/** Sends the waiting saves now. */
export function retryWaiting () {
  clearTimeout(retrying)
  retrying = undefined
  sendWaiting()
}

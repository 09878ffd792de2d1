// What the dialogs with a list share: reading it, and the focus after one of its items is gone.
import { refusalOf } from '../register.js'
import { state } from '../state.js'

/**
 * Reads what a dialog lists. `set` changes the dialog's state: `busy`, then what was read, or the `problem`. Another `read`, or
 * `stop`, aborts the one before.
 */
export function createReader (set) {
  let reading = new AbortController()

  async function read (request) {
    reading.abort()
    reading = new AbortController()
    const signal = AbortSignal.any([reading.signal, state.session.signal])
    set({ busy: true, problem: undefined })
    try {
      await set({ ...await request(signal), busy: false })
    } catch (error) {
      if (!signal.aborted) await set({ busy: false, problem: refusalOf(error).sentence })
    }
  }

  return { read, stop: () => reading.abort() }
}

/** Focuses the button of the item that is now at a position, or else another element. */
export function focusItem (items, index, otherwise) {
  const found = document.querySelectorAll(items)
  const button = found[Math.min(Math.max(index, 0), found.length - 1)]?.querySelector('button')
  const next = button ?? document.getElementById(otherwise)
  next?.focus()
}

// Shared by dialogs with a list: reading the list, and moving the focus after an item is removed.
import { refusalOf } from '../register.js'
import { state } from '../state.js'

/**
 * Creates what reads a dialog's list. `set` changes the dialog's state: `busy`, then what was read, or the `problem`. Calling `read`
 * again, or `stop`, aborts what is being read.
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

/** Focuses the button of the item at `index`, of the last one at most, or else the element with the id `otherwise`. */
export function focusItem (items, index, otherwise) {
  const found = document.querySelectorAll(items)
  const button = found[Math.min(Math.max(index, 0), found.length - 1)]?.querySelector('button')
  const next = button ?? document.getElementById(otherwise)
  next?.focus()
}

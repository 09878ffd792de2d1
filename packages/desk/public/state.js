// The page's state, in one place. All other modules change it with `update`, which renders the page again.

const settingsKey = 'frontdesk.settings'

/** The user's settings, which stay in this browser. */
const defaults = { developer: false, grant: 'code', popup: false, shortcuts: true }

/** The state that is discarded at sign-out. */
const signedOut = {
  session: null, // The signed-in user: `{ name, sub, scopes, claims, left, warning, signal }`; the signal aborts the session's work.
  list: null, // See list.js.
  selected: { isAll: false, ids: new Set() }, // See selection.js. The selected customers' numbers, or, if all are, the exceptions.
  job: null, // See job.js.
  fresh: new Set(), // The numbers of customers that someone else has just changed.
  active: null, // The number of the customer whose row has the focus.
  panel: null, // The side panel, see panel.js; null if closed.
  dialog: null, // See dialog.js; null if closed.
  menu: null, // See menu.js.
  message: null, // See messages.js.
  exchanges: [] // Recorded requests and responses, latest first; see recorder.js.
}

export const state = {
  config: null,
  settings: { ...defaults, ...read(localStorage, settingsKey) },
  away: null, // Why the register cannot be reached: the `network` or the `service`, see connection.js.
  ...signedOut
}

let draw = () => {}
let drawing = null

/** Sets the function that renders the page. */
export const onUpdate = render => { draw = render }

/** Changes the state. Changes in the same task are rendered once. @returns {Promise<void>} when the page shows it */
export function update (changes) {
  Object.assign(state, changes)
  drawing ??= Promise.resolve().then(() => {
    drawing = null
    draw()
  })
  return drawing
}

/** Changes a part of the state that is an object, such as the list, if it still exists. */
export const updateIn = (part, changes) => update(state[part] && { [part]: { ...state[part], ...changes } })

/** Discards everything except the settings. */
export const reset = () => update(signedOut)

/** Changes a setting, and stores it. */
export function choose (changes) {
  updateIn('settings', changes)
  localStorage.setItem(settingsKey, JSON.stringify(state.settings))
}

/** Whether the token has a customer scope: `read`, `write`, `delete` or `undo`. */
export const may = action => state.session?.scopes.includes(`customer:${action}`) ?? false

/** Reads JSON from a storage; undefined if missing. */
export function read (storage, key) {
  try {
    return JSON.parse(storage.getItem(key)) ?? undefined
  } catch {}
}

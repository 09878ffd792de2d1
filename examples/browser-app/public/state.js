// What the page shows, in one place. Everything else changes it with `update`, which draws the page again.

const settingsKey = 'frontdesk.settings'

/** What the person has chosen; it stays in this browser. */
const defaults = { developer: false, grant: 'code', popup: false, shortcuts: true }

/** What ends with the session. */
const signedOut = {
  session: null, // Who is signed in: `{ name, sub, scopes, claims, left, warning, signal }`; the signal ends what the session began.
  list: null, // See list.js.
  selected: new Set(), // The numbers of the selected customers.
  fresh: new Set(), // The numbers of the customers that another person has just changed.
  active: null, // The number of the customer whose row has the keyboard.
  panel: null, // The side panel, see panel.js; null if it is closed.
  dialog: null, // See dialog.js; null if it is closed.
  menu: null, // See menu.js.
  message: null, // See messages.js.
  exchanges: [] // What went over the wire, latest first; see recorder.js.
}

export const state = { config: null, settings: { ...defaults, ...read(localStorage, settingsKey) }, ...signedOut }

let draw = () => {}
let drawing = null

/** Sets the function that draws the page. */
export const onUpdate = render => { draw = render }

/** Changes the state. Changes in the same task are drawn once. @returns {Promise<void>} when the page shows it */
export function update (changes) {
  Object.assign(state, changes)
  drawing ??= Promise.resolve().then(() => {
    drawing = null
    draw()
  })
  return drawing
}

/** Changes a part of the state that is an object, such as the list, if it is still there. */
export const updateIn = (part, changes) => update(state[part] && { [part]: { ...state[part], ...changes } })

/** Forgets everything but the settings. */
export const reset = () => update(signedOut)

/** Changes a choice of the person, and keeps it. */
export function choose (changes) {
  updateIn('settings', changes)
  localStorage.setItem(settingsKey, JSON.stringify(state.settings))
}

/** Whether the token has a scope of the customer register: `read`, `write` or `delete`. */
export const may = action => state.session?.scopes.includes(`customer:${action}`) ?? false

/** Reads JSON from a storage; undefined if there is none. */
export function read (storage, key) {
  try {
    return JSON.parse(storage.getItem(key)) ?? undefined
  } catch {}
}

// What the page shows, in one place. Everything else changes it with `update`, which draws the page again.

const settingsKey = 'frontdesk.settings'

/** What the person has chosen; it stays in this browser. */
const defaults = { developer: false, grant: 'code', popup: false, shortcuts: true }

export const state = {
  config: null,
  /** Who is signed in: `{ name, sub, scopes, claims, left, warning }`; null if no one is signed in. */
  session: null,
  settings: { ...defaults, ...read(localStorage, settingsKey) },
  /** See list.js. */
  list: null,
  /** The numbers of the selected customers. */
  selected: new Set(),
  /** The numbers of the customers that another person has just changed. */
  fresh: new Set(),
  /** The number of the customer whose row has the keyboard. */
  active: null,
  /** The side panel, see panel.js; null if it is closed. */
  panel: null,
  /** The question that is asked, see ask.js. */
  question: null,
  /** The file that is imported, see import.js. */
  importing: null,
  /** The message that is shown, see messages.js. */
  message: null,
  help: false,
  /** What went over the wire, latest first; see recorder.js. */
  exchanges: []
}

let draw = () => {}
let drawing = null

/** Sets the function that draws the page. */
export function onUpdate (render) {
  draw = render
}

/**
 * Changes the state. Changes in the same task are drawn once.
 * @returns {Promise<void>} when the page shows it
 */
export function update (changes) {
  Object.assign(state, changes)
  drawing ??= Promise.resolve().then(() => {
    drawing = null
    draw()
  })
  return drawing
}

/** Changes a choice of the person, and keeps it. */
export function choose (changes) {
  const settings = { ...state.settings, ...changes }
  localStorage.setItem(settingsKey, JSON.stringify(settings))
  return update({ settings })
}

/** Whether the token has a scope of the customer register: `read`, `write` or `delete`. */
export function may (action) {
  return state.session?.scopes.includes(`customer:${action}`) ?? false
}

/** Reads JSON from a storage; undefined if there is none. */
export function read (storage, key) {
  try {
    return JSON.parse(storage.getItem(key)) ?? undefined
  } catch {}
}

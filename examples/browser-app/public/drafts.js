// What was typed and not saved. It survives a reload and a new sign-in in this tab, and ends at sign-out.
import { read } from './state.js'

const key = 'frontdesk.drafts'
const MOST = 20

/** The drafts of a person: `{ sub, open, panels }`, the panels by number, or `new`. */
let kept = { sub: null, open: null, panels: {} }

/** Finds the drafts of this person. Those of another one are dropped. */
export function load (sub) {
  const found = read(sessionStorage, key)
  if (found && found.sub !== sub) sessionStorage.removeItem(key)
  kept = found?.sub === sub ? found : { sub, open: null, panels: {} }
}

/** Keeps what is typed in a panel: `{ before, values }`. The oldest go first. */
export function keep (id, draft) {
  delete kept.panels[id]
  kept.panels[id] = draft
  for (const oldest of Object.keys(kept.panels).slice(0, -MOST)) delete kept.panels[oldest]
  store()
}

/** Drops one. */
export function drop (id) {
  delete kept.panels[id]
  store()
}

/** Remembers which panel is open; null if none is. */
export function setOpen (id) {
  kept.open = id
  store()
}

/** What was typed in a panel, if it was not saved. */
export const draftOf = id => kept.panels[id]

/** The panel that was open with something typed in it, if any. */
export const openDraft = () => kept.open !== null && kept.panels[kept.open] ? kept.open : null

/** Forgets all of them. */
export function clear () {
  kept = { sub: null, open: null, panels: {} }
  sessionStorage.removeItem(key)
}

function store () {
  if (Object.keys(kept.panels).length > 0) sessionStorage.setItem(key, JSON.stringify(kept))
  else sessionStorage.removeItem(key)
}

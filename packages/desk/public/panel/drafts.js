// Unsaved input. It survives a reload and a new sign-in in this tab, and is discarded at sign-out.
import { read } from '../state.js'
import { t } from '../language.js'

const MAX_DRAFTS = 50
const everyone = 'frontdesk.draft.'

/** The prefix of a user's keys in `sessionStorage`; the draft's id follows. */
let prefix
/** The user's drafts by id, as they are stored. */
let drafts = new Map()
let lastNew = 0

/** Reads this user's drafts, and discards those of others. */
export function load (sub) {
  prefix = `${everyone}${sub}.`
  const keys = Object.keys(sessionStorage).filter(key => key.startsWith(everyone))
  for (const key of keys.filter(key => !key.startsWith(prefix))) sessionStorage.removeItem(key)
  const stored = keys.map(key => read(sessionStorage, key)).filter(draft => draft?.id !== undefined)
  drafts = new Map(stored.map(draft => [draft.id, draft]))
  lastNew = Math.max(0, ...stored.map(({ id }) => numberOf(id)))
}

/** Discards all drafts. */
export const clear = () => load(null)

/** Whether this tab has stored drafts of a user. */
export const areOf = sub => Object.keys(sessionStorage).some(key => key.startsWith(`${everyone}${sub}.`))

/**
 * Stores a draft. `id`: the customer's number, or {@link newId}; `before`: the customer as it was read; `values`: the fields'
 * contents; `conflict`: see merge.js; `key`: identifies the attempt to add it; `waiting`: since when it waits to be saved.
 */
export function keep (draft) {
  const kept = { began: Date.now(), ...draftOf(draft.id), ...draft }
  drafts.set(kept.id, kept)
  lastNew = Math.max(lastNew, numberOf(kept.id))
  sessionStorage.setItem(prefix + kept.id, JSON.stringify(kept))
}

/** Discards a draft. */
export function drop (id) {
  drafts.delete(id)
  sessionStorage.removeItem(prefix + id)
}

/** A panel's unsaved input, if any. */
export const draftOf = id => drafts.get(id)

/** All drafts, in the order in which they were begun. */
export const all = () => [...drafts.values()].sort((one, other) => one.began - other.began)

/** The drafts that wait to be saved, in this order. */
export const waiting = () => all().filter(draft => draft.waiting).sort((one, other) => one.waiting - other.waiting)

/** Whether there can be a draft with this id. */
export const hasRoom = id => drafts.has(id) || drafts.size < MAX_DRAFTS

/** Why there cannot be another draft. */
export const fullText = t('drafts.full', { count: MAX_DRAFTS })

/** The id of the next new customer's draft, such as `new2`. An id is used once, so that discarding can be undone. */
export const newId = () => `new${lastNew + 1}`

/** Whether an id is a new customer's: it is then a string. */
export const isNew = id => typeof id === 'string'

const numberOf = id => isNew(id) ? Number(id.slice('new'.length)) : 0

// Unsaved input. It survives a reload and a new sign-in in this tab, and is discarded at sign-out.
import { read } from '../state.js'

const everyone = 'frontdesk.draft.'
/** The prefix of a user's draft keys; the customer's number or {@link newId} follows. */
let prefix

/** Finds this user's drafts, and discards those of others. */
export function load (sub) {
  prefix = `${everyone}${sub}.`
  const others = Object.keys(sessionStorage).filter(key => key.startsWith(everyone) && !key.startsWith(prefix))
  for (const key of others) sessionStorage.removeItem(key)
}

/** Stores a panel's input: `{ before, values }`. */
export const keep = (id, draft) => sessionStorage.setItem(prefix + id, JSON.stringify(draft))

/** Discards a draft. */
export const drop = id => sessionStorage.removeItem(prefix + id)

/** A panel's unsaved input, if any. */
export const draftOf = id => read(sessionStorage, prefix + id)

/** The id of a new customer's draft: `new`, or, for one that was removed, such as `new7`. Without a draft: `new`. */
export const newId = () => Object.keys(sessionStorage).filter(key => key.startsWith(`${prefix}new`)).sort()[0]?.slice(prefix.length) ?? 'new'

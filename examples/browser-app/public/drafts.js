// What was typed and not saved. It survives a reload and a new sign-in in this tab, and ends at sign-out.
import { read } from './state.js'

const everyone = 'frontdesk.draft.'
/** The beginning of the keys of a person's drafts; the number of the customer or {@link newId} follows. */
let prefix

/** Finds the drafts of this person. Those of others are dropped. */
export function load (sub) {
  prefix = `${everyone}${sub}.`
  const others = Object.keys(sessionStorage).filter(key => key.startsWith(everyone) && !key.startsWith(prefix))
  for (const key of others) sessionStorage.removeItem(key)
}

/** Forgets all of them. */
export const clear = () => load(null)

/** Keeps what is typed in a panel: `{ before, values }`. */
export const keep = (id, draft) => sessionStorage.setItem(prefix + id, JSON.stringify(draft))

/** Drops one. */
export const drop = id => sessionStorage.removeItem(prefix + id)

/** What was typed in a panel, if it was not saved. */
export const draftOf = id => read(sessionStorage, prefix + id)

/** The id of a draft of a new customer: `new` or, of one that was removed, such as `new7`. Without a draft: `new`. */
export const newId = () => Object.keys(sessionStorage).filter(key => key.startsWith(`${prefix}new`)).sort()[0]?.slice(prefix.length) ?? 'new'

// The desk is live: what another person changes is shown by itself, from the change feed of the register.
import { refresh } from './list.js'
import { takeIn } from './panel.js'
import { refusalOf } from './refusal.js'
import { customers } from './session.js'
import { may, state, update } from './state.js'

/** Changes that come within this time are shown at once, in milliseconds. */
const TOGETHER = 300
/** How long a changed row is marked, in milliseconds. */
const MARKED = 2_000

let following = new AbortController()
let changed = new Set()

/** Follows the changes from now on, until `leave`. Without a change feed at the service, the desk is not live. */
export async function follow () {
  leave()
  if (!may('read')) return
  following = new AbortController()
  const { signal } = following
  try {
    for await (const event of customers.events({ after: 'latest', signal })) note(event, signal)
  } catch (error) {
    if (signal.aborted || refusalOf(error).status !== 410) return
    // Some were missed.
    await refresh()
    return follow()
  }
}

/** Follows no longer. */
export function leave () {
  following.abort()
  changed = new Set()
}

function note ({ type, data: { customerid, version } }, signal) {
  const row = state.list?.items.find(item => item.customerid === customerid)
  const isShown = /removed|erased/.test(type) ? row === undefined : row?.etag === `"${version}-json"`
  // What this desk did itself, for example.
  if (isShown) return
  if (changed.size === 0) setTimeout(() => { if (!signal.aborted) show() }, TOGETHER)
  changed.add(customerid)
}

async function show () {
  const fresh = changed
  changed = new Set()
  await refresh()
  takeIn(state.list?.items ?? [])
  await update({ fresh })
  setTimeout(() => { if (state.fresh === fresh) update({ fresh: new Set() }) }, MARKED)
}

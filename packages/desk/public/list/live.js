// The desk is live: it shows others' changes automatically, from the register's change feed.
import { refresh } from './list.js'
import { lookAgain, notice } from '../panel/others.js'
import { backOff, customers, refusalOf, untilOnline } from '../register.js'
import { may, state, update } from '../state.js'

/** Changes that arrive within this time are shown together. */
const BATCH_MS = 300
const POSITION_MS = 2_000
const MARKED_MS = 2_000
const MAX_MARKED = 1_000

let changed = new Set()
let pause = BATCH_MS

/** Loads the list, and follows the changes until the session ends. If the change feed is off, the desk is not live. */
export async function follow () {
  const { signal } = state.session
  // Gets the position before the list, so that no change is missed.
  let after = may('read') && await position(signal)
  refresh()
  if (!after) return
  let online
  // Back online, the old connection can be dead without notice.
  addEventListener('online', () => online.abort(), { signal })
  for (let failures = 0; !signal.aborted; failures++) {
    online = new AbortController()
    try {
      if (after === 'latest') {
        after = await customers.position({ signal })
        await refresh()
      }
      for await (const event of customers.events({ after, signal: AbortSignal.any([signal, online.signal]), retries: 2 })) {
        after = event.id
        failures = 0
        note(event)
      }
    } catch (error) {
      if (signal.aborted) return
      if (!online.signal.aborted) {
        const { status, kind, wait } = refusalOf(error)
        if (kind === 'feed-off' || kind === 'scope-missing') return
        // Some changes are missing.
        if (status === 410) after = 'latest'
        // While the service does not respond, this marks the rows as out of date.
        else if (!state.list?.stale) await show()
        await untilOnline(backOff(wait, failures), signal)
      }
      if (online.signal.aborted) failures = 0
      if (!signal.aborted) await Promise.all([show(), lookAgain()])
    }
  }
}

/** The position, or `latest` while it is unknown. */
const position = signal => customers.position({ signal, retries: 0, timeoutMs: POSITION_MS }).catch(() => 'latest')

function note (event) {
  const { type, data: { customerid, version } } = event
  notice(event)
  const row = state.list?.items.find(item => item.customerid === customerid)
  // Already shown, for example because this desk made the change.
  if (/removed|merged|erased/.test(type) ? row === undefined : row?.etag === `"${version}-json"`) return
  if (changed.size === 0) setTimeout(show, pause)
  if (changed.size < MAX_MARKED) changed.add(customerid)
}

async function show () {
  const fresh = changed
  changed = new Set()
  const started = performance.now()
  await refresh()
  // Reloading takes at most a tenth of the time: an import, or many rows here, must not keep the register busy.
  pause = Math.max(BATCH_MS, 9 * (performance.now() - started))
  await update({ fresh })
  // The panel was opened with a row from before the change, after its event.
  const { id, before } = state.panel ?? {}
  const row = state.list?.items.find(item => item.customerid === id)
  if (row && row.etag !== before.etag) lookAgain()
  setTimeout(() => { if (state.fresh === fresh) update({ fresh: new Set() }) }, MARKED_MS)
}

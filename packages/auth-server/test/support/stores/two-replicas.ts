import type { Test } from 'tap'
import { openStores } from '../../../src/stores/stores.js'
import { connectTo, longTimeouts, onPostgresql, temporaryDatabase } from '../database.js'

/** An empty database with two replicas on it, and a connection of its own. SQLite has one process: both are the same there. */
export async function twoReplicas (t: Test) {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  const other = onPostgresql ? await openStores(url, longTimeouts) : stores
  const direct = await connectTo(url)
  t.teardown(async () => { await Promise.all([...new Set([stores, other]), direct].map(it => it.close())) })
  return { url, stores, other, direct }
}

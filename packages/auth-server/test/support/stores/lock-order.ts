import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openStores, type Stores } from '../../../src/stores/stores.js'
import { codeClient } from '../code-flow.js'
import { connectTo, longTimeouts, temporaryDatabase } from '../database.js'

export const [now, hence] = [new Date(), new Date(Date.now() + 4 * 3_600_000)]
export const granted = { userId: 'ann', scope: 'a', audience: 'api', createdAt: now, expiresAt: hence }

/** A database with the clients `a` and `z`, and the person `ann`. */
export async function begin (t: Test) {
  const url = await temporaryDatabase(t)
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  for (const id of ['z', 'a']) await stores.clients.add(codeClient({ id }))
  await stores.users.add({ id: 'ann', username: 'ann', passwordHash: 'x', demo: false })
  return { url, stores }
}

export const grant = (nonceHash: string, id = nonceHash, clientId = 'a') => ({ ...granted, id, nonceHash, clientId, responseType: 'code', epoch: 0, isSilent: false })

/** What waits while another transaction locks its first row, and what it must not have locked by then. */
export type Order =
  [name: string, prepare: (stores: Stores) => Promise<unknown>, first: string, wait: (stores: Stores) => Promise<unknown>, last: string]

/** Tests each order, on PostgreSQL. */
export function checkOrders (orders: readonly Order[]): void {
  for (const [name, prepare, first, wait, last] of orders) {
    t.test(`locked in one order, whatever the order of requests: ${name}`, async t => {
      const { stores, url } = await begin(t)
      await prepare(stores)
      const operator = await connectTo(url)
      t.teardown(() => operator.close())
      await operator.query("SET lock_timeout = '500ms'; BEGIN")
      await operator.query(first)
      const done = wait(stores)
      done.catch(() => {})
      await setTimeout(150)
      await t.resolves(operator.query(last), 'a transaction that locks in the same order goes on')
      await operator.query('ROLLBACK')
      await done
    })
  }
}

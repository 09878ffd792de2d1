import { createTimeIds } from '@frontdesk/service-kit/time-id'
import { randomBytes } from 'node:crypto'
import type { Test } from 'tap'
import { verifySeals } from '../../../src/admin/audit-verify.js'
import { openDataKey } from '../../../src/keys/data-key.js'
import { sealRows } from '../../../src/plugins/audit-seal.js'
import type { NewAuditRow } from '../../../src/stores/operation/audit-row.js'
import { openStores, type Stores } from '../../../src/stores/stores.js'
import { connectTo, longTimeouts, temporaryDatabase } from '../database.js'

export const secrets = { secretKey: randomBytes(32).toString('base64url') }

/** The columns of a row without its id and position. */
export const EVENT = 'at, event, outcome, user_id, client_id, source, request_id, details, rank'

/** A database with replicas, what makes rows, seals and verifies them, and a connection that a thief would have. */
export async function openSealed (t: Test, replicas = 1) {
  const url = await temporaryDatabase(t)
  const all: Stores[] = []
  for (let i = 0; i < replicas; i++) all.push(await openStores(url, longTimeouts))
  const thief = await connectTo(url)
  t.teardown(async () => { await Promise.all([...all, thief].map(it => it.close())) })
  const stores = all[0]!
  const key = await openDataKey(stores.auditSeals.key, secrets, 'audit seals')
  const next = createTimeIds()
  const start = new Date()
  const rows = (count: number, change: Partial<NewAuditRow> = {}, at = start): NewAuditRow[] => Array.from({ length: count }, (_, i) => ({
    id: next(at), at, event: 'sign-in', outcome: `${i}`, userId: null, clientId: 'shop', source: null, requestId: null, details: { i }, ...change
  }))
  const add = async (...given: Parameters<typeof rows>) => await stores.audit.add(rows(...given))
  const seal = () => sealRows(stores, key)
  /** Three seals of ten rows each. */
  const fill = async () => { for (let i = 0; i < 3; i++) await add(10).then(seal) }
  const verify = async (limit = 200) => {
    const items = []
    for (let next: string | null = '0'; next !== null;) {
      const page: Awaited<ReturnType<typeof verifySeals>> = await verifySeals(stores, secrets, { after: Number(next), limit })
      items.push(...page.items)
      next = page.next
    }
    return items
  }
  const faults = async (limit?: number) => (await verify(limit)).flatMap(({ fault }) => fault ?? [])
  return { all, stores, key, thief, rows, add, seal, fill, verify, faults, start }
}

import type { Test } from 'tap'
import { expiringTables } from '../../src/stores/expiring.js'
import type { FeedChange } from '../../src/stores/changes/feed.js'
import type { build } from './helper.js'

type Service = Awaited<ReturnType<typeof build>>

const CENTURY_MS = 100 * 366 * 86_400_000

/** Checks that each change of a customer begins with what the change before it left, and each customer is as its last change left it. */
export async function assertNothingLost (t: Test, { db }: Pick<Service, 'db'>) {
  const states = new Map<number, string | null>()
  const changes = await db.customerChange.findMany({ orderBy: { seq: 'asc' } })
  const broken = changes.filter(({ customerId, before, after }) => {
    const isBroken = normalize(before) !== (states.get(customerId) ?? null)
    states.set(customerId, normalize(after))
    return isBroken
  })
  t.same(broken, [], 'each change begins with what the one before left')
  const found = (await db.customer.findMany()).map(({ id, name, age, address }) => [id, JSON.stringify({ name, age, address })])
  t.same(Object.fromEntries(found), Object.fromEntries([...states].filter(([, state]) => state !== null)),
    'each customer is as its last change left it')
}

/** SQLite can write 33 as 33.0. */
function normalize (json: string | null) {
  return json === null ? null : JSON.stringify(JSON.parse(json))
}

/**
 * Checks that nothing was lost, no operation is half done, and the feed has each change once. Then, a clean-up after every lifetime
 * leaves the customers only. @returns how many changes there were
 */
export async function assertWhole (t: Test, service: Service) {
  const { db, changes: { removeExpired } } = service
  await assertNothingLost(t, service)
  const changes = await db.customerChange.findMany({ orderBy: { seq: 'asc' } })
  const operations = await db.operation.findMany({ where: { customers: { gt: 0 } } })
  const changed = await db.customerChange.groupBy({ by: ['operationId', 'customerId'], where: { operationId: { not: null } } })
  t.same(changed.map(({ operationId }) => operationId).toSorted(),
    operations.flatMap(({ id, customers }) => Array.from({ length: customers }, () => id)).toSorted(), 'each operation counts its customers')
  t.same(changes.filter(({ kind, successor }) => (kind === 'merged') !== (successor !== null)), [], 'a merged customer has a successor')

  t.same((await readFeed(service)).map(describe).toSorted(), changes.map(describe).toSorted(), 'the feed has each change once')

  const customers = await db.customer.count()
  const later = new Date(Date.now() + CENTURY_MS)
  await removeExpired(later)
  for (const table of expiringTables) await service.removeExpired(table, later)
  t.same([await db.customerChange.count(), await db.operation.count(), await db.importProgress.count()], [0, 0, 0])
  t.equal(await db.customer.count(), customers)
  return changes.length
}

type Change = Pick<FeedChange, 'customerId' | 'version' | 'kind'>

function describe ({ customerId, version, kind }: Change) {
  return `${customerId} ${version} ${kind}`
}

async function readFeed ({ feed }: Pick<Service, 'feed'>): Promise<Change[]> {
  const found: Change[] = []
  for (let next = await feed.findEnd('oldest'); ;) {
    const page = await feed.read(next, 1_000)
    if ('gap' in page) throw new Error(page.gap)
    if (page.changes.length === 0) return found
    found.push(...page.changes)
    next = page.next
  }
}

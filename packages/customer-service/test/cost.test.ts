import t from 'tap'
import { tokenChecked } from '../src/telemetry/events.js'
import { onPostgresql } from '@frontdesk/test-kit/database'
import { build, PATH } from './support/helper.js'
import { countBytes, countStatements, stopOptimizing, stopTime } from '@frontdesk/test-kit/cost'
import { noteRows } from './support/written-rows.js'

export const onBothDatabases = true

/** For `stopOptimizing`. */
export const needsOwnProcess = true

stopOptimizing()

const form = (id: number) => ({ customerid: id, customername: `name ${id}`, customerage: 33, customeraddress: 'piliyandala' })
const move = (id: number) => ({ customername: `name ${id}`, customeraddress: 'colombo' })
const times = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

t.test('each request is one statement, on SQLite a write is a transaction with its record, on PostgreSQL if requests share it', async t => {
  stopTime(t)
  const { send } = await build(t)
  const operations: Array<[name: string, request: (id: number) => Promise<{ statusCode: number }>, status: number]> = [
    ['POST', id => send('POST', PATH, { form: form(id) }), 201],
    ['GET', id => send('GET', `${PATH}/${id}`), 200],
    ['PUT', id => send('PUT', PATH, { form: move(id) }), 204],
    ['PATCH', id => send('PATCH', `${PATH}/${id}`, { form: { customerage: 34 } }), 204],
    ['DELETE', id => send('DELETE', `${PATH}/${id}`), 204]
  ]
  for (const [name, request, status] of operations) {
    // BEGIN, the record of the change, the change, COMMIT.
    const statements = onPostgresql || name === 'GET' ? 1 : 4
    t.equal(await countStatements(async () => { t.equal((await request(1)).statusCode, status) }), statements, `one ${name}`)
    const at = times(32).map(i => i + 1)
    t.equal(await countStatements(async () => {
      t.same((await Promise.all(at.map(request))).filter(({ statusCode }) => statusCode !== status), [])
    }), onPostgresql && name !== 'GET' ? 3 : statements, `${at.length} × ${name} at once`)
  }
})

t.test('a list is one statement; a search for a name is one, and one that concurrent searches share', async t => {
  stopTime(t)
  const { send } = await build(t)
  const count = (requests: number, query: string) => countStatements(async () => {
    const all = await Promise.all(times(requests).map(() => send('GET', `${PATH}${query}`)))
    t.same(all.filter(({ statusCode }) => statusCode !== 200), [])
  })
  // Opens the connections.
  await count(32, '?name=name')
  t.equal(await count(1, ''), 1)
  t.equal(await count(1, '?name=name'), 2)
  t.ok(await count(32, '?name=name') <= 35)
})

t.test(
  'a change writes the row of the customer and its record, one that can be repeated its key too',
  async t => {
    stopTime(t)
    const { send, db } = await build(t)
    const written = await noteRows(db)
    const recorded = { 'customer_change INSERT': 1 }
    const operations: Array<[name: string, request: () => Promise<{ statusCode: number }>, status: number, rows: Record<string, number>]> =
      [
        ['POST', () => send('POST', PATH, { form: form(1) }), 201, { 'customer INSERT': 1, ...recorded }],
        [
          'POST with Idempotency-Key',
          () => send('POST', PATH, { form: form(2), headers: { 'idempotency-key': 'once' } }),
          201,
          { 'customer INSERT': 1, ...recorded, 'idempotency_key INSERT': 1 }
        ],
        ['GET', () => send('GET', `${PATH}/1`), 200, {}],
        ['PUT', () => send('PUT', PATH, { form: move(1) }), 204, { 'customer UPDATE': 1, ...recorded }],
        ['DELETE', () => send('DELETE', `${PATH}/1`), 204, { 'customer DELETE': 1, ...recorded }]
      ]
    for (const [name, request, status, rows] of operations) {
      t.equal((await request()).statusCode, status, name)
      t.same(await written(), rows, name)
    }
  }
)

t.test('1,000 requests with one token cost one signature check', async t => {
  const { send, register } = await build(t)
  const outcomes: string[] = []
  t.teardown(tokenChecked.subscribe(({ outcome }) => { outcomes.push(outcome) }))
  await register(1)
  for (let i = 1; i < 1_000; i++) await send('GET', `${PATH}/1`)
  t.equal(outcomes.filter(outcome => outcome === 'accepted').length, 1)
  t.equal(outcomes.filter(outcome => outcome === 'remembered').length, 999)
})

t.test('what a request allocates beyond one that does nothing stays within one and a half times of what it was', async t => {
  stopTime(t)
  const { send } = await build(t)
  const perRequest = async (status: number, request: (id: number) => Promise<{ statusCode: number }>) => {
    await Promise.all(times(100).map(request))
    const answers: number[] = []
    const bytes = await countBytes(async () => { for (const id of times(400)) answers.push((await request(100 + id)).statusCode) })
    t.same(new Set(answers), new Set([status]))
    return bytes / 400
  }
  const nothing = await perRequest(200, () => send('GET', '/health/live'))
  t.ok(nothing < 59_000, `nothing: ${Math.round(nothing)} bytes, most of them of the one who asks`)
  const operations: Array<[name: string, status: number, request: (id: number) => Promise<{ statusCode: number }>]> = [
    ['POST', 201, id => send('POST', PATH, { form: form(id) })],
    ['GET', 200, id => send('GET', `${PATH}/${id}`)],
    ['PUT', 204, id => send('PUT', PATH, { form: move(id) })],
    ['DELETE', 204, id => send('DELETE', `${PATH}/${id}`)]
  ]
  const limits: Record<string, number> = onPostgresql
    ? { POST: 68_000, GET: 47_000, PUT: 62_000, DELETE: 36_000 }
    : { POST: 57_000, GET: 27_000, PUT: 52_000, DELETE: 27_000 }
  for (const [name, status, request] of operations) {
    const bytes = await perRequest(status, request) - nothing
    t.ok(bytes < limits[name]!, `${name}: ${Math.round(bytes)} bytes`)
  }
})

import type { CustomerClient, WriteOptions } from '@frontdesk/customer-client'
import t from 'tap'
import { clientOf, problem, unreachable, type Outcome } from './fake-service.js'

const name = () => new Response('charitha')
const done = () => new Response(null, { status: 204 })
const charitha = { customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' }

t.test('a failure that may pass is retried, with exponential backoff and full jitter', async t => {
  const broken = new ReadableStream({ start: it => { it.error(unreachable()) } })
  const table: Array<[name: string, failures: Outcome[], waits: number[]]> = [
    ['no connection', [unreachable(), unreachable()], [125, 250]],
    ['429 with Retry-After', [problem(429, {}, { 'Retry-After': '3' })], [3125]],
    ['Retry-After with a date that is past', [problem(503, {}, { 'Retry-After': 'Wed, 21 Oct 2015 07:28:00 GMT' })], [125]],
    ['Retry-After that is no time', [problem(503, {}, { 'Retry-After': 'soon' })], [125]],
    ['a proxy without the service', [new Response('<h1>Bad gateway</h1>', { status: 502 }), new Response('', { status: 504 })], [125, 250]],
    ['409 with Retry-After', [problem(409, {}, { 'Retry-After': '1' })], [1125]],
    ['an answer that breaks off', [new Response(broken, { headers: { 'Content-Type': 'text/plain' } })], [125]]
  ]
  for (const [title, failures, expected] of table) {
    const { customers, requests, waits } = clientOf([...failures, name()])
    t.equal(await customers.readName(1), 'charitha', title)
    t.same(waits, expected, title)
    t.equal(requests.length, failures.length + 1, title)
  }
})

t.test('the backoff is capped', async t => {
  const { customers, waits } = clientOf([...Array.from({ length: 8 }, unreachable), name()], { retries: 8, random: () => 1 })
  await customers.readName(1)
  t.same(waits, [250, 500, 1000, 2000, 4000, 8000, 8000, 8000])
})

t.test('other failures are not retried', async t => {
  for (const status of [400, 404, 409, 412, 500]) {
    const { customers, requests, waits } = clientOf([problem(status)])
    await t.rejects(customers.readName(1), { name: 'CustomerProblem', status, attempts: 1 })
    t.same([requests.length, waits], [1, []])
  }
})

t.test('a Retry-After longer than maxWaitMs is an error at once, with the time to wait', async t => {
  const { customers, waits } = clientOf([problem(429, {}, { 'Retry-After': '60' })])
  await t.rejects(customers.readName(1), { name: 'CustomerProblem', status: 429, retryAfter: 60 })
  t.same(waits, [])
  const patient = clientOf([problem(429, {}, { 'Retry-After': '60' }), name()], { maxWaitMs: 61_000 })
  t.equal(await patient.customers.readName(1), 'charitha')
})

t.test('after the last retry the error says how often the request was sent', async t => {
  const { customers } = clientOf([unreachable(), unreachable(), unreachable(), problem(503), problem(503)])
  await t.rejects(customers.readName(1), {
    name: 'CustomerNetworkError',
    message: 'No usable answer to GET https://customers.example/crm/rest/qa/customer/1: connect ECONNREFUSED 127.0.0.1:9',
    attempts: 3,
    cause: { message: 'fetch failed' }
  })
  await t.rejects(customers.readName(1, { retries: 1 }), { name: 'CustomerProblem', status: 503, attempts: 2 })
})

t.test('a write with a key or a condition is retried; a POST keeps its Idempotency-Key, and each call has its own', async t => {
  const created = () => new Response(null, { status: 201, headers: { Location: '/rest/qa/customer/1', ETag: '"1-text"' } })
  const { customers, requests } = clientOf([unreachable(), problem(503), created(), created(), created()])
  t.same(await customers.register(charitha), { href: '/rest/qa/customer/1', etag: '"1-text"' })
  await customers.register(charitha)
  await customers.register(charitha, { idempotencyKey: 'mine' })
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
  t.match(keys[0], /^[0-9a-f]{32}$/)
  t.same(keys, [keys[0], keys[0], keys[0], keys[3], 'mine'])
  t.not(keys[3], keys[0])

  const writes = clientOf([unreachable(), done(), problem(502), done(), problem(503), done(), unreachable(), done()])
  await writes.customers.change(1, { customerage: 34 }, { ifMatch: '"1-json"' })
  await writes.customers.replace(1, charitha, { ifMatch: '"1-json"' })
  await writes.customers.move({ customername: 'charitha', customeraddress: 'colombo' }, { ifMatch: '"1-json"' })
  await writes.customers.remove(1, { ifMatch: '"1-json"' })
  t.same(writes.requests.map(({ method }) => method), ['PATCH', 'PATCH', 'PUT', 'PUT', 'PUT', 'PUT', 'DELETE', 'DELETE'])
  t.same([...new Set(writes.requests.map(({ headers }) => headers.get('if-match')))], ['"1-json"'])
})

t.test('a write without a condition is retried only if the service has not processed it: a number may be that of another person by then', async t => {
  const writes: Record<string, (customers: CustomerClient, options?: WriteOptions) => Promise<unknown>> = {
    change: (customers, options) => customers.change(1, { customerage: 34 }, options),
    replace: (customers, options) => customers.replace(1, charitha, options),
    move: (customers, options) => customers.move({ customername: 'charitha', customeraddress: 'colombo' }, options),
    remove: (customers, options) => customers.remove(1, options),
    restore: (customers, options) => customers.restore(1, 5, options),
    erase: (customers, options) => customers.erase(1, options)
  }
  const processed = () => [unreachable(), problem(502), problem(503, { type: '/problems/database-unavailable' }, { 'Retry-After': '2' }), problem(503)]
  const notProcessed = () => [problem(429), ...['service-overloaded', 'keys-unavailable', 'revocations-unavailable']
    .map(kind => problem(503, { type: `/problems/${kind}` }, { 'Retry-After': '2' }))]
  for (const [title, write] of Object.entries(writes)) {
    for (const options of [undefined, { ifMatch: '*' }]) {
      for (const outcome of processed()) {
        const { customers, requests } = clientOf([outcome])
        t.match(await write(customers, options).catch((error: unknown) => error), { attempts: 1 }, title)
        t.equal(requests.length, 1, title)
      }
      const { customers, requests } = clientOf([...notProcessed(), problem(404)], { retries: 4 })
      t.match(await write(customers, options).catch((error: unknown) => error), { status: 404, attempts: 5 }, title)
      t.equal(requests.length, 5, title)
    }
  }
})

t.test('a signal ends the call with its reason, before, during and after an attempt', async t => {
  const reason = new Error('the person left')
  const before = clientOf([name()])
  await t.rejects(before.customers.readName(1, { signal: AbortSignal.abort(reason) }), reason)
  t.same(before.requests, [])

  const controller = new AbortController()
  const during = clientOf([], {
    fetch: async (url, init) => await new Promise((resolve, reject) => {
      init!.signal!.addEventListener('abort', () => { reject(init!.signal!.reason) })
      controller.abort(reason)
    })
  })
  await t.rejects(during.customers.readName(1, { signal: controller.signal }), reason)

  const other = new AbortController()
  const after = clientOf([problem(503)], { wait: undefined, random: () => 1, maxWaitMs: Infinity })
  const call = after.customers.readName(1, { signal: other.signal })
  setImmediate(() => { other.abort(reason) })
  await t.rejects(call, reason)
})

t.test('an attempt without an answer in time is a network error, and is retried', async t => {
  let attempts = 0
  const { customers } = clientOf([], {
    timeoutMs: 1,
    fetch: async (url, init) => await new Promise((resolve, reject) => {
      attempts++
      init!.signal!.addEventListener('abort', () => { reject(init!.signal!.reason) })
    })
  })
  await t.rejects(customers.readName(1, { retries: 1 }), { name: 'CustomerNetworkError', message: /none within 1 ms$/, cause: { name: 'TimeoutError' } })
  t.equal(attempts, 2)
})

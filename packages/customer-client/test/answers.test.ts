import { CustomerProblem, type CustomerClient } from '@frontdesk/customer-client'
import { inspect } from 'node:util'
import t from 'tap'
import { clientOf, problem, unreachable } from './fake-service.js'

const json = (value: object) => new Response(JSON.stringify(value), { headers: { 'Content-Type': 'application/json' } })

t.test('a problem has every member that the service sends', async t => {
  const { customers } = clientOf([problem(400, {
    type: 'https://customers.example/problems/form-invalid',
    title: 'The form is not valid',
    detail: 'Correct the fields in errors: customerage.',
    errors: [{ field: 'customerage', detail: 'Must be a number.' }],
    requestId: 'request-1'
  })])
  const error = await customers.move({ customername: 'a', customeraddress: 'b' }).catch((error: unknown) => error)
  t.ok(error instanceof CustomerProblem && error instanceof Error)
  t.match(error, {
    name: 'CustomerProblem',
    message: 'The form is not valid. Correct the fields in errors: customerage.',
    status: 400,
    type: 'https://customers.example/problems/form-invalid',
    kind: 'form-invalid',
    title: 'The form is not valid',
    detail: 'Correct the fields in errors: customerage.',
    errors: [{ field: 'customerage', detail: 'Must be a number.' }],
    candidates: [],
    requestId: 'request-1',
    retryAfter: undefined
  })
})

t.test('a sign-in that is not enough is an error with what to request, and the token stays (RFC 9470 §3)', async t => {
  const fault = 'error="insufficient_user_authentication", error_description="x"'
  const table: Array<[challenge: string, stepUp: object]> = [
    [`Bearer realm="a", ${fault}, acr_values="urn:frontdesk:acr:mfa phr", max_age="300", scope="b", DPoP realm="a", algs="ES256"`,
      { acr_values: 'urn:frontdesk:acr:mfa phr', max_age: '300' }],
    [`DPoP ${fault}, max_age="60"`, { max_age: '60' }]
  ]
  for (const [challenge, stepUp] of table) {
    const { customers, requests } = clientOf([problem(401, {}, { 'WWW-Authenticate': challenge })], {
      token: rejected => { t.equal(rejected, undefined); return 'a-token' }
    })
    const error: unknown = await customers.erase(1).catch((error: unknown) => error)
    t.match(error, { status: 401, attempts: 1 })
    t.strictSame((error as CustomerProblem).stepUp, stepUp) // as: what the line above matched.
    t.equal(requests.length, 1)
  }
  const { customers } = clientOf([problem(401, {}, { 'WWW-Authenticate': 'Bearer error="invalid_token"' })])
  const error: unknown = await customers.erase(1).catch((error: unknown) => error)
  t.match(error, { status: 401 })
  t.equal((error as CustomerProblem).stepUp, undefined) // as: what the line above matched.
})

t.test('an error that is not from the service is a problem without a kind', async t => {
  const { customers } = clientOf([new Response('<h1>Not found</h1>', { status: 404, headers: { 'X-Request-Id': 'of-a-proxy' } })])
  await t.rejects(customers.readName(1), {
    message: 'The answer has status 404', status: 404, type: 'about:blank', kind: 'about:blank', requestId: 'of-a-proxy'
  })
})

t.test('a problem that is not that of the service keeps its status', async t => {
  const headers = { 'Content-Type': 'application/problem+json' }
  const broken = new ReadableStream({ start: it => { it.error(unreachable()) } })
  for (const body of ['null', '{"type":5}', '{"type":null}', '<html>', '"text"', '', broken]) {
    const { customers, requests } = clientOf([new Response(body, { status: 403, headers })])
    await t.rejects(customers.remove(1, { ifMatch: '"1-json"' }), {
      name: 'CustomerProblem', message: 'The answer has status 403', status: 403, kind: 'about:blank', attempts: 1
    }, String(body))
    t.equal(requests.length, 1)
  }
  // As ASP.NET has them.
  const { customers } = clientOf([problem(400, { title: 'Not valid', errors: { age: ['too high'] }, candidates: null })])
  await t.rejects(customers.read(1), { message: 'Not valid', errors: [], candidates: [] })
})

t.test('a success that is not that of the service is an error at once: the address is that of another server', async t => {
  const page = () => new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } })
  const empty = () => new Response(null, { status: 204 })
  const calls: Array<[answer: Response, call: (customers: CustomerClient) => Promise<unknown>]> = [
    [page(), customers => customers.readName(1)],
    [page(), customers => customers.read(1)],
    [empty(), customers => customers.read(1)],
    [new Response('null', { headers: { 'Content-Type': 'application/json' } }), customers => customers.read(1)],
    [json({}), customers => customers.read(1)],
    [json({}), customers => customers.import('', 'text/csv')],
    [json({}), customers => customers.page()],
    [page(), customers => customers.export('text/csv')],
    [page(), customers => customers.register({ customerid: 1, customername: 'a', customerage: 1, customeraddress: 'b' })],
    [page(), customers => customers.change(1, { customerage: 1 }, { ifMatch: '"1-json"' })],
    [page(), customers => customers.remove(1)],
    [page(), customers => customers.restore(1, 5)],
    [page(), customers => customers.erase(1)],
    [page(), customers => customers.events({ retries: 0 }).next()],
    [empty(), customers => customers.events({ retries: 0 }).next()]
  ]
  for (const [answer, call] of calls) {
    const { customers, requests } = clientOf([answer])
    await t.rejects(call(customers), { name: 'CustomerNetworkError', message: /^No usable answer to / }, String(call))
    t.equal(requests.length, 1)
  }
})

t.test('an import sends the same key again after a lost connection, and a dry run none', async t => {
  const report = { lines: 1, registered: 1, updated: 0, unchanged: 0, failed: 0, errors: [], hasMoreErrors: false, dryRun: false }
  const { customers, requests } = clientOf([unreachable(), json(report), unreachable(), json({ ...report, dryRun: true })])
  t.same(await customers.import(new Blob(['customerid']), 'text/csv', { allOrNothing: true }), report)
  await customers.import('[]', 'application/json', { dryRun: true })
  const keys = requests.map(({ headers }) => new Headers(headers).get('idempotency-key'))
  t.match(keys, [/^[0-9a-f]{32}$/, keys[0], null, null])
  const query = 'import?all_or_nothing=true'
  t.same(requests.map(({ url }) => url.split('/').at(-1)), [query, query, 'import?dry_run=true', 'import?dry_run=true'])
  t.equal(new Headers(requests[2]!.headers).get('content-type'), 'application/json')
})

t.test('a list follows next, also over empty pages, and asks for the next page only when it is needed', async t => {
  const customer = (customerid: number) => ({ customerid })
  const pages = [{ items: [customer(1)], next: 'a' }, { items: [], next: 'b' }, { items: [], next: 'c' }, { items: [customer(2), customer(3)] }]
  const { customers, requests } = clientOf(pages.map(json))
  const list = customers.list({ q: 'chari tha', limit: 2, sort: '-name', age_gte: undefined })
  t.equal((await list.next()).value!.customerid, 1)
  t.equal(requests.length, 1)
  const rest = []
  for await (const { customerid } of list) rest.push(customerid)
  t.same(rest, [2, 3])
  const home = 'https://customers.example/crm/rest/qa/customer?q=chari+tha&limit=2&sort=-name'
  t.same(requests.map(({ url }) => url), [home, `${home}&cursor=a`, `${home}&cursor=b`, `${home}&cursor=c`])

  const counted = clientOf(pages.map(json))
  const sizes = []
  for await (const { items } of counted.customers.pages()) sizes.push(items.length)
  t.same(sizes, [1, 0, 0, 2])
  t.equal(counted.requests[0]!.url, 'https://customers.example/crm/rest/qa/customer')
})

t.test('a token function is asked for each attempt, and once more after a 401, with the token that was rejected', async t => {
  const asked: Array<string | undefined> = []
  const token = async (rejected?: string) => { asked.push(rejected); return rejected === undefined ? 'old' : 'new' }
  const sent = (requests: ReturnType<typeof clientOf>['requests']) => requests.map(({ headers }) => headers.get('authorization'))

  const renewed = clientOf([unreachable(), problem(401), new Response('charitha')], { token })
  t.equal(await renewed.customers.readName(1), 'charitha')
  t.same(asked.splice(0), [undefined, undefined, 'old'])
  t.same(sent(renewed.requests), ['Bearer old', 'Bearer old', 'Bearer new'])

  const refused = clientOf([problem(401), problem(401)], { token })
  await t.rejects(refused.customers.readName(1), { name: 'CustomerProblem', status: 401 })
  t.equal(refused.requests.length, 2)

  const fixed = clientOf([problem(401)])
  await t.rejects(fixed.customers.readName(1), { name: 'CustomerProblem', status: 401 })
  t.equal(fixed.requests.length, 1)

  const open = clientOf([new Response('charitha')], { token: undefined })
  await open.customers.readName(1)
  t.same(sent(open.requests), [null])

  const failing = clientOf([], { token: async () => { throw new Error('signed out') } })
  await t.rejects(failing.customers.readName(1), new Error('signed out'))
})

t.test('an import whose tokens end one after the other is renewed each time that it came further', async t => {
  const asked: Array<string | undefined> = []
  const token = (rejected?: string) => `token-${asked.push(rejected)}`
  const ended = (lines: number) => problem(401, { report: { lines, registered: lines, failed: 0, errors: [] } })
  const whole = { lines: 900, registered: 900, updated: 0, unchanged: 0, failed: 0, errors: [], hasMoreErrors: false, dryRun: false }

  const long = clientOf([ended(128), ended(256), ended(512), Response.json(whole)], { token })
  t.same(await long.customers.import('', 'text/csv'), whole)
  t.same(asked.splice(0), [undefined, 'token-1', 'token-2', 'token-3'])
  t.equal(new Set(long.requests.map(({ headers }) => headers.get('idempotency-key'))).size, 1)

  for (const last of [ended(128), problem(401)]) {
    const stuck = clientOf([ended(128), last], { token })
    const error: unknown = await stuck.customers.import('', 'text/csv').catch((error: unknown) => error)
    t.match(error, { name: 'CustomerProblem', status: 401, attempts: 2 })
  }
})

t.test('a token that ends while the service is down is renewed, too', async t => {
  const { customers, requests } = clientOf([problem(401), unreachable(), problem(401), new Response('charitha')], { token: () => 'a-token' })
  t.equal(await customers.readName(1), 'charitha')
  t.equal(requests.length, 4)
})

t.test('no error and no client shows the token', async t => {
  const { customers } = clientOf([problem(401), unreachable(), unreachable(), unreachable()])
  const malformed = clientOf([], { token: 'secret-token\n' })
  const seen = [customers, malformed.customers]
  for (const client of [customers, customers, malformed.customers]) seen.push(await client.readName(1).catch(error => error))
  t.match(seen[4], { name: 'TypeError', message: /^The access token has characters/ })
  t.notMatch(inspect(seen, { depth: null, showHidden: true }), 'secret-token')
})

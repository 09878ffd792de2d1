import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { openStream, subjectOf } from '../../support/event-reader.js'
import { build, buildOnce, PATH } from '../../support/helper.js'
import { startIssuer } from '../../support/issuer.js'

const EVENTS = `${PATH}/events`

type Service = Awaited<ReturnType<typeof build>>

async function open (t: Test, { listen, http, everything }: Service, query = '', headers: Record<string, string> = {}) {
  const address = http.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : await listen()
  return await openStream(t, port, query, { authorization: `Bearer ${everything}`, ...headers })
}

/** Moves the clock of this process, by which streams measure intervals. */
function pass (t: Test, ms: number) {
  const { now } = performance
  performance.now = () => now.call(performance) + ms
  t.teardown(() => { performance.now = now })
}

t.test('changes of this process and of another one arrive as events, and an interrupted reader continues', async t => {
  const service = await build(t)
  const other = await build(t, { DATABASE_URL: service.config.databaseUrl, ISSUER: service.issuer.url, JWKS_URL: service.issuer.url })
  await service.register(1)
  const stream = await open(t, service, '?after=latest', { origin: 'http://localhost:3002' })
  t.match(stream.response, {
    statusCode: 200,
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      vary: /Accept/,
      'x-accel-buffering': 'no',
      'access-control-allow-origin': 'http://localhost:3002'
    }
  })
  const { next: begin } = (await service.send('GET', `${EVENTS}?after=latest`)).json()
  t.equal(await stream.next(), `retry: 2000\nid: ${begin}`)
  await service.register(2)
  const block = await stream.next()
  const [event] = (await service.send('GET', `${EVENTS}?after=${begin}`)).json().events
  t.match(event.id, /^2-/)
  t.equal(block, `id: ${event.id}\ndata: ${JSON.stringify(event)}`)
  await other.send('DELETE', `${PATH}/1`, { token: service.everything })
  t.match(await stream.next(), /^id: 3-[0-9a-f]{12}\ndata: .*"customer\.removed\.v1"/)
  stream.close()

  await service.register(4)
  const again = await open(t, service, '?after=latest', { 'last-event-id': event.id })
  t.equal(await again.next(), `retry: 2000\nid: ${event.id}`)
  t.same([subjectOf(await again.next()), subjectOf(await again.next())], ['1', '4'])
  t.equal(subjectOf(await (async () => { const all = await open(t, service); await all.next(); return await all.next() })()), '1')
})

t.test('refusals are those of the page, and answers with a status', async t => {
  const service = await buildOnce(t)
  const off = await buildOnce(t, { FEED_DAYS: '0' })
  const accept = 'text/event-stream'
  const ask = async ({ send }: Service, query: string, headers = {}) => (await send('GET', EVENTS + query, { headers: { accept, ...headers } })).json()
  t.match(await ask(service, '?after=5-aaaaaaaaaaaa'), { status: 410, type: '/problems/position-gone' })
  t.match(await ask(service, '', { 'last-event-id': '5-aaaaaaaaaaaa' }), { status: 410 })
  t.match(await ask(service, '', { 'last-event-id': '5' }), { status: 400, errors: [{ detail: /^Is a position without its mark/ }] })
  t.match(await ask(service, '?after=x'), { status: 400, errors: [{ field: 'after' }] })
  t.match(await ask(service, '', { 'last-event-id': 'x' }), { status: 400, errors: [{ field: 'Last-Event-ID' }] })
  t.match(await ask(off, ''), { status: 404, type: '/problems/feed-off' })
  t.match((await service.send('GET', EVENTS, { headers: { accept }, token: null })).statusCode, 401)
  t.match(await service.send('HEAD', EVENTS, { headers: { accept } }), { statusCode: 200, headers: { 'content-type': 'text/event-stream' }, body: '' })
  for (const both of ['text/event-stream, application/json', '*/*', 'text/event-stream;q=0.5, application/json']) {
    t.match(await ask(service, '', { accept: both }), { events: [] }, both)
  }
})

t.test('an idle stream has a heartbeat, and its line in the log comes when its reader leaves', async t => {
  const service = await buildOnce(t)
  const stream = await open(t, service)
  await stream.next()
  pass(t, 16_000)
  await service.register(1)
  t.equal(subjectOf(await stream.next()), '1')
  pass(t, 32_000)
  t.equal(await stream.next(), ':')
  const lines = () => service.log.filter(line => line.includes('/events"')).map(line => JSON.parse(line))
  t.same(lines(), [])
  stream.close()
  while (lines().length === 0) await new Promise(setImmediate)
  t.match(lines(), [{ msg: 'request', method: 'GET', path: EVENTS, status: 200, ms: Number, ip: '127.0.0.1', requestId: String }])
})

t.test('a stream ends with its token: when it expires, and when it is revoked', async t => {
  const revoked: object[] = []
  const feed = await startIssuer(t, response => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ revoked, next: '0', more: false }))
  })
  const { now } = Date
  let later = 0
  Date.now = () => now.call(Date) + later
  t.teardown(() => { Date.now = now })
  const service = await buildOnce(t, { REVOCATIONS_URL: feed.url })
  const seconds = Math.floor(Date.now() / 1_000)
  const token = async (claims: Record<string, unknown>) => ({ authorization: `Bearer ${await service.issuer.mint({ claims })}` })
  const streams = [
    await open(t, service, '', await token({ exp: seconds + 300, jti: 'short' })),
    await open(t, service, '', await token({ exp: seconds + 3_000, jti: 'stolen' })),
    await open(t, service, '', await token({ exp: seconds + 3_000, jti: 'good' }))
  ] as const
  for (const stream of streams) await stream.next()
  revoked.push({ id: 'stolen', ends: seconds + 3_000 })
  await service.revocations!.refresh()
  later = 400_000
  pass(t, 6_000)
  t.equal(await streams[0].next(), undefined)
  t.equal(await streams[1].next(), undefined)
  later = 0
  await service.register(1)
  t.equal(subjectOf(await streams[2].next()), '1')
})

t.test('a reader that does not read is not buffered for without bound, and is cut off', async t => {
  const service = await buildOnce(t)
  const port = await service.listen()
  service.http.server.setTimeout(300)
  const insert = `INSERT INTO customer_change (customer_id, version, kind, at, fields)
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 40000)
    SELECT n, 1, 'updated', '2026-01-01T00:00:00.000Z', 'name' FROM number`
  await service.db.$executeRawUnsafe(insert)
  await service.feed.read('oldest', 1)
  const { read } = service.feed
  let pages = 0
  service.feed.read = async (...args) => { pages++; return await read(...args) }
  const socket = connect(port, '127.0.0.1')
  socket.pause().write(`GET ${EVENTS} HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${service.everything}\r\n\r\n`)
  const [accepted] = await once(service.http.server, 'connection')
  await once(accepted, 'close')
  t.ok(pages < 350, `${pages} of 400 pages were read`)
  socket.destroy()
})

t.test('when the process begins to stop, streams end at once, and new ones get 503', async t => {
  const service = await buildOnce(t)
  const stream = await open(t, service)
  await stream.next()
  const port = (service.http.server.address() as { port: number }).port
  const drained = service.http.drain()
  t.equal(await stream.next(), undefined)
  const late = await openStream(t, port, '', { authorization: `Bearer ${service.everything}` })
  t.match(late.response, { statusCode: 503, headers: { 'retry-after': '2' } })
  late.close()
  await drained
})

t.test('a hundred streams share one query a second, and one for each change', async t => {
  const service = await buildOnce(t)
  await service.listen()
  const streams = await Promise.all(Array.from({ length: 100 }, async () => await open(t, service)))
  for (const stream of streams) await stream.next()
  const { read } = service.feed
  let reads = 0
  service.feed.read = async (...args) => { reads++; return await read(...args) }
  for (const id of [1, 2]) {
    await service.register(id)
    t.same(new Set((await Promise.all(streams.map(async stream => await stream.next()))).map(subjectOf)), new Set([`${id}`]))
  }
  // 200, if each stream read for itself. On a slow machine, more seconds pass.
  t.ok(reads < 50, `${reads} reads`)
})

import t from 'tap'
import { clientOf, problem, unreachable } from './fake-service.js'

/** A stream that ends after these chunks, or breaks. */
function stream (chunks: string[], breaks = false) {
  const body = new ReadableStream<Uint8Array>({
    pull (controller) {
      const chunk = chunks.shift()
      if (chunk !== undefined) controller.enqueue(new TextEncoder().encode(chunk))
      else if (breaks) controller.error(new TypeError('terminated'))
      else controller.close()
    }
  })
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
}

const event = (id: number) => `id: ${id}\ndata: {"id":"${id}","subject":"ශ්‍රී"}\n\n`
const begin = (position: number) => `retry: 2000\nid: ${position}\n\n`

t.test('events come one by one, and a stream that ends or breaks is continued after the last one', async t => {
  const { customers, requests, waits } = clientOf([
    // Cut in the middle of a line.
    stream([`${begin(4)}${event(5).slice(0, 12)}`, `${event(5).slice(12)}:\n\n`], true),
    stream([begin(5), ':\n\n']), unreachable(), problem(503, {}, { 'Retry-After': '2' }), unreachable(), problem(503),
    stream([begin(5), event(6) + event(7)])
  ])
  const ids = []
  for await (const { id } of customers.events({ after: 'latest' })) {
    ids.push(id)
    if (id === '7') break
  }
  t.same(ids, ['5', '6', '7'])
  t.same(requests.map(({ url }) => url.split('?')[1]), ['after=latest', ...Array(6).fill('after=5')])
  t.equal(requests[0]!.headers.get('accept'), 'text/event-stream')
  t.same(waits, [1_000, 1_000, 125, 2_250, 500, 1_000])
})

t.test('the position before a list is the place to begin', async t => {
  const { customers, requests } = clientOf([Response.json({ events: [], next: '7' })])
  t.equal(await customers.position(), '7')
  t.match(requests[0]!.url, /\/events\?after=latest$/)
})

t.test('without a place to begin, it begins with the oldest one that is kept, and continues from there', async t => {
  const { customers, requests } = clientOf([stream([begin(0)]), stream([event(1)])])
  t.match(await customers.events().next(), { value: { id: '1', subject: 'ශ්‍රී' }, done: false })
  t.same(requests.map(({ url }) => url.split('/').at(-1)), ['events', 'events?after=0'])
})

t.test('it reads every form that the standard of server-sent events allows', async t => {
  for (const end of ['\n', '\r\n', '\r']) {
    const lines = ['data:{"id":', 'data: "1"}', ': a comment', 'id:1', '', 'event: other', '', 'data: {"id":"2"}', '', 'id: 3', 'data: {"id":"3"}', '', 'id: 4']
    const text = lines.map(line => line + end).join('')
    // Whole, and cut at each character.
    for (const chunks of [[text], [...text]]) {
      const { customers, requests } = clientOf([stream(chunks), problem(410)])
      const ids: string[] = []
      await t.rejects(async () => { for await (const { id } of customers.events({ retries: 0 })) ids.push(id) }, { name: 'CustomerProblem', status: 410 })
      t.same(ids, ['1', '2', '3'], JSON.stringify(end))
      t.equal(requests[1]!.url.split('?')[1], 'after=3')
    }
  }
})

t.test('an event that is not JSON is an error', async t => {
  const { customers } = clientOf([stream([begin(0), 'id: 1\ndata: {oops\n\n'])])
  await t.rejects(customers.events({ retries: 0 }).next(), { name: 'CustomerNetworkError', cause: { name: 'SyntaxError' } })
})

t.test('missing events are a problem, and a signal ends it', async t => {
  const { customers } = clientOf([problem(410, { type: '/problems/position-gone' })])
  await t.rejects(customers.events({ after: '4' }).next(), { name: 'CustomerProblem', status: 410, kind: 'position-gone' })

  const controller = new AbortController()
  const followed = clientOf([stream([begin(0), event(1)])], {
    async wait (_ms, signal) {
      controller.abort(new Error('enough'))
      signal?.throwIfAborted()
    }
  })
  const events = followed.customers.events({ signal: controller.signal })
  await events.next()
  await t.rejects(events.next(), new Error('enough'))
})

t.test('a signal ends the real wait for the next attempt, while the service is down and after a stream has ended', async t => {
  for (const outcomes of [[unreachable()], [stream([begin(0)])], [problem(429, {}, { 'Retry-After': '29' })]]) {
    const controller = new AbortController()
    const { customers, requests } = clientOf([...outcomes], { wait: undefined, random: () => 1 })
    const next = customers.events({ signal: controller.signal }).next()
    setImmediate(() => { controller.abort(new Error('enough')) })
    await t.rejects(next, new Error('enough'))
    t.equal(requests.length, 1)
  }
})

t.test('a refusal for longer than maxWaitMs is thrown with the time to wait, and the caller can continue after the last event', async t => {
  const { customers, requests, waits } = clientOf([stream([event(5)]), problem(429, {}, { 'Retry-After': '3600' }), stream([event(6)])])
  const events = customers.events({ after: '4' })
  t.match(await events.next(), { value: { id: '5' } })
  await t.rejects(events.next(), { name: 'CustomerProblem', status: 429, retryAfter: 3_600 })
  t.same(waits, [1_000])
  t.match(await customers.events({ after: '5' }).next(), { value: { id: '6' } })
  t.equal(requests[2]!.url.split('?')[1], 'after=5')
})

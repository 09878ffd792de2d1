import t from 'tap'
import { clientOf } from './fake-service.js'

const json = (value: object) => new Response(JSON.stringify(value), { headers: { 'Content-Type': 'application/json' } })

t.test('an answer that a proxy made shorter, or empty, is a broken transfer: it is sent again', async t => {
  const broken = (body: string | null, type?: string) => new Response(body, { headers: type === undefined ? {} : { 'Content-Type': type } })
  const report = { lines: 1, registered: 1, updated: 0, unchanged: 0, failed: 0, errors: [], hasMoreErrors: false, dryRun: false }
  const cut = JSON.stringify(report).slice(0, 20)
  // A text would have a type.
  const empty = () => { const answer = broken(null); answer.headers.delete('content-type'); return answer }
  const { customers, requests } = clientOf([empty(), broken(cut, 'application/json'), json(report)])
  t.same(await customers.import('', 'text/csv'), report)
  t.equal(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size, 1)

  const lost = clientOf([empty(), empty(), broken('', 'application/json')])
  await t.rejects(lost.customers.import('', 'text/csv'), { name: 'CustomerNetworkError', message: /: the response was interrupted$/, attempts: 3 })
  const read = clientOf([empty(), broken('{"customerid":', 'application/json'), json({ customerid: 1 })])
  t.match(await read.customers.read(1), { customerid: 1 })
  const events = clientOf([empty(), broken('id: 5\ndata: {"n":1}\n\n', 'text/event-stream')])
  t.match(await events.customers.events().next(), { value: { n: 1 } })
})

t.test('an export is complete only with the mark at its end, which is no part of it', async t => {
  const csv = { headers: { 'Content-Type': 'text/csv; charset=utf-8' } }
  const inParts = (...parts: string[]) => new Response(new ReadableStream({
    start (it) {
      for (const part of parts) it.enqueue(new TextEncoder().encode(part))
      it.close()
    }
  }), csv)
  for (const parts of [['a,b\r\n1,2\r\n\u0004'], ['a,b\r\n', '1,2\r\n', '\u0004'], ['a,b\r\n1,2', '\r\n\u0004']]) {
    const { customers, requests } = clientOf([inParts(...parts)])
    t.equal(await new Response(await customers.export('text/csv')).text(), 'a,b\r\n1,2\r\n')
    t.match(requests[0]!.url, /export\?end=true$/)
  }
  for (const parts of [['a,b\r\n1,2\r\n'], ['a'], []]) {
    const { customers } = clientOf([inParts(...parts)])
    const stream = await customers.export('text/csv')
    await t.rejects(new Response(stream).text(), { message: 'the response was interrupted' })
  }
})

t.test('413 of another server is told as what it is', async t => {
  const { customers, requests } = clientOf([new Response('<h1>413</h1>', { status: 413, headers: { 'Content-Type': 'text/html' } })])
  await t.rejects(customers.import('', 'text/csv'), {
    name: 'CustomerProblem', status: 413, kind: 'about:blank', title: 'A server in front of the service refuses requests this large'
  })
  t.equal(requests.length, 1)
})

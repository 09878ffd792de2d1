import { CustomerClient } from '@frontdesk/customer-client'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { proxies, SHORT_S } from '../support/proxies.js'
import { startStack } from '../support/stack.js'

/** How long transfers take here, in seconds: longer than every timeout that was shortened. */
const LONG_S = 3 * SHORT_S
/** A record of an import, with a column that is ignored. */
const RECORD_BYTES = 10_000
/** More than nginx takes unless it is told otherwise: 1 MB. */
const RECORDS = 300

const stack = await startStack(t, ['auth-server', 'customer-service'])
const secret = await addJob('job', 'customer:read customer:write customer:delete')
const upstreams = {
  auth: stack.issuer,
  customers: stack.address('customer-service'),
  audience: stack.address('customer-service'),
  introspection: btoa(`my-api:${await addJob('my-api', 'customer:read')}`)
}
const answer = await fetch(`${stack.issuer}/token`, {
  method: 'POST', headers: { authorization: `Basic ${btoa(`job:${secret}`)}` }, body: new URLSearchParams({ grant_type: 'client_credentials' })
})
// as: what RFC 6749 §5.1 says.
const { access_token: token } = await answer.json() as { access_token: string }
stack.leakCheck.secret(token)
let nextId = 1

for (const proxy of proxies) {
  await t.test(proxy.name, { skip: proxy.skip }, async t => {
    const { customers: url, auth } = await proxy.start(t, upstreams)
    const customers = new CustomerClient({ url, token, retries: 0 })

    await t.test('imports and a stream pass that are longer than each timeout and larger than each limit, with compression', async t => {
      const [known, chunked, events] = await Promise.all([importSlowly(url, false), importSlowly(url, true), followChanges(url, customers)])
      for (const outcome of [known, chunked]) t.match(outcome, { status: 200, report: { lines: RECORDS, registered: RECORDS } })
      t.ok(events > LONG_S / 2, `${events} events came as they happened`)
    })

    await t.test('an import that the service refuses is refused in its words, also while the file is on its way', async t => {
      const file = 'x'.repeat(900_000)
      // as: a type that no caller may pass.
      const error: unknown = await customers.import(file, 'text/plain' as 'text/csv').catch((error: unknown) => error)
      t.match(error, { status: 415, kind: 'media-type-unsupported' })
    })

    await t.test('an export that breaks off is an error', async t => {
      const broken = await proxy.start(t, { ...upstreams, customers: await startBreakingService(t), audience: upstreams.customers })
      const stream = await new CustomerClient({ url: broken.customers, token, retries: 0 }).export('text/csv')
      await t.rejects(new Response(stream).text())
    })

    await t.test('cookies of other apps pass, and long authorization requests', async t => {
      const headers = { cookie: `other=${'x'.repeat(12_000)}`, authorization: `Bearer ${token}` }
      t.equal((await fetch(`${url}/rest/qa/customer`, { headers })).status, 200)
      if (auth === undefined) return
      const query = (state: string) => new URLSearchParams({ response_type: 'token', client_id: 'desk', redirect_uri: stack.callback, state })
      t.equal((await fetch(`${auth}/authorize?${query('s')}`, { headers, redirect: 'manual' })).status, 302)
      t.equal((await fetch(`${auth}/authorize?${query('s'.repeat(7_500))}`, { redirect: 'manual' })).status, 302)
    })
  })
}

await t.test('the services end cleanly, and wrote no token', async t => {
  t.same(await stack.stop(), [0, 0])
  t.same(stack.leakCheck.findings(), [])
})

/** Registers an app that acts for itself. Gives its secret. */
async function addJob (clientId: string, scope: string): Promise<string> {
  const options = ['--confidential', '--grant', 'client_credentials', '--default-scope', scope, '--json']
  // as: what --json prints.
  const { secret } = JSON.parse(await stack.register(['client', 'add', clientId, '--name', clientId, ...options])) as { secret: string }
  return secret
}

/** A service whose answers break off. Gives its address. */
async function startBreakingService (t: Test): Promise<string> {
  const server = http.createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' })
    response.write('1,a,1,b\n'.repeat(100_000), () => { response.destroy() })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  // as: it listens on a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Makes changes and waits for the event of each. Gives their number. @throws if the stream ends */
async function followChanges (url: string, customers: CustomerClient): Promise<number> {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
  const signal = AbortSignal.timeout(10_000 * LONG_S)
  const { body } = await fetch(`${url}/rest/qa/customer/events?after=latest`, { headers, signal })
  const chunks = body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
  let [text, events] = ['', 0]
  for (const end = Date.now() + LONG_S * 1_000; Date.now() < end; events++) {
    const customerid = nextId++
    await customers.register({ customerid, customername: 'a', customerage: 1, customeraddress: 'b' })
    while (!text.includes(`"customerid":${customerid},`)) {
      const { value, done } = await chunks.next()
      if (done === true) throw new Error('the stream ended')
      text += value
    }
    await setTimeout(500)
  }
  await chunks.return!()
  return events
}

/** Sends a file piece by piece. Gives status 0 if there is no answer. */
async function importSlowly (url: string, isChunked: boolean) {
  const records = Array.from({ length: RECORDS }, () => `${nextId++},a,1,b,${'x'.repeat(RECORD_BYTES)}\n`)
  const lines = ['customerid,customername,customerage,customeraddress,note\n', ...records]
  const request = http.request(`${url}/rest/qa/customer/import`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'text/csv',
      authorization: `Bearer ${token}`,
      ...isChunked ? { expect: '100-continue' } : { 'content-length': lines.join('').length }
    }
  })
  const answered = once(request, 'response')
  Readable.from(slowly(lines)).pipe(request)
  request.on('error', () => {})
  try {
    // as: the one argument of the event.
    const [response] = await answered as [http.IncomingMessage]
    return { status: response.statusCode, report: await json(response).catch(() => null) }
  } catch (error) {
    return { status: 0, report: error }
  }
}

async function * slowly (lines: string[]) {
  for (const line of lines) {
    yield line
    await setTimeout(LONG_S * 1_000 / lines.length)
  }
}

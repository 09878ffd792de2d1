import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { authorizationUrl, Person } from './support/person.js'
import { root, startStack } from './support/stack.js'

/** What matters of OTLP's JSON. */
interface Span { traceId: string, name: string, attributes: Array<{ key: string, value: object }> }
interface Batch {
  resourceSpans: Array<{
    resource: { attributes: Array<{ key: string, value: { stringValue?: string } }> }
    scopeSpans: Array<{ spans: Span[] }>
  }>
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

await t.test('spans of both services reach a collector, in the trace of the caller, and hold no secret', async t => {
  const { endpoint, batches, spans: spansOf } = await startCollector(t)
  const stack = await startStack(t, ['auth-server', 'customer-service'], { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, LOG_LEVEL: 'info' })
  const person = new Person(stack)
  const location = await person.allow(authorizationUrl(stack, { scope: 'customer:read', state: 'a-secret-state' }), {
    username: 'demo', password: 'demo'
  })
  const token = new URLSearchParams(location.split('#')[1]).get('access_token') ?? ''
  const headers = { authorization: `Bearer ${token}`, traceparent: `00-${TRACE}-00f067aa0ba902b7-01` }
  await fetch(`${stack.address('customer-service')}/rest/qa/customer/1?q=a-secret-query`, { headers })
  t.same(await stack.stop(), [0, 0], 'what is left is sent when a service stops')

  const names = batches.flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ resource }) => resource.attributes))
    .filter(({ key }) => key === 'service.name').map(({ value }) => value.stringValue)
  t.same([...new Set(names)].sort(), ['auth-server', 'customer-service'])
  const spans = spansOf()
  const routes = spans.flatMap(({ attributes }) => attributes).filter(({ key }) => key === 'http.route')
    .map(({ value }) => Object.values(value)[0] as string)
  for (const route of ['/authorize', '/consent', '/rest/qa/customer/:customerid']) t.ok(routes.includes(route), route)
  t.ok(spans.some(({ traceId }) => traceId === TRACE), 'the caller\'s trace goes on')
  const text = JSON.stringify(batches)
  for (const secret of [
    'a-secret-state', 'a-secret-query', token, 'access_token', 'password', 'session=', 'Bearer'
  ]) t.notMatch(text, secret, secret)
})

await t.test('without its setting nothing of it is loaded, nor of metrics', async t => {
  const stack = await startStack(t, [], { LOG_LEVEL: 'info' })
  const coverage = join(stack.dataDir, 'coverage')
  for (const name of ['auth-server', 'customer-service'] as const) await stack.start(name, { NODE_V8_COVERAGE: coverage })
  await stack.stop()
  const modules: string[] = []
  for (const file of await readdir(coverage)) {
    // as: that is what Node.js writes.
    const { result } = JSON.parse(await readFile(join(coverage, file), 'utf8')) as { result: Array<{ url: string }> }
    modules.push(...result.map(({ url }) => url).filter(url => url.startsWith('file:')))
  }
  for (const name of ['auth-server', 'customer-service']) {
    t.ok(
      modules.some(url => url.endsWith(`packages/${name}/dist/bundle/server.js`)),
      name
    )
  }
  t.same(modules.filter(url => /@opentelemetry|@fastify\/otel|prom-client/.test(url)), [])
  const ofMcp = (url: string) => readFileSync(new URL(url), 'utf8').includes('createMcpHandler')
  t.same(modules.filter(url => url.includes('/dist/bundle/') && ofMcp(url)), [], 'nor of MCP')
  const bundle = join(root, 'packages/customer-service/dist/bundle')
  t.ok((await readdir(bundle)).some(file => ofMcp(pathToFileURL(join(bundle, file)).href)), 'which is a file of its own')
})

await t.test('the span of a tool that an assistant calls has its name, and nothing of the call', async t => {
  const { endpoint, batches, spans } = await startCollector(t)
  const stack = await startStack(t, [], { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  await stack.start('customer-service', { AUTH: 'none', MCP: 'on' })
  const params = { name: 'search_customers', arguments: { q: 'a-secret-name' } }
  const { status } = await fetch(`${stack.address('customer-service')}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  })
  t.equal(status, 200)
  await stack.stop()
  t.ok(spans().some(({ attributes }) => attributes.some(({ key, value }) => key === 'gen_ai.tool.name' && Object.values(value)[0] === params.name)))
  t.notMatch(JSON.stringify(batches), params.arguments.q)
})

/** A collector of spans (OTLP over HTTP). */
async function startCollector (t: Test) {
  const batches: Batch[] = []
  const collector = createServer((request, response) => {
    // as: that is what OTLP over HTTP sends as JSON.
    json(request).then(batch => { batches.push(batch as Batch) }, () => {})
      .finally(() => response.setHeader('content-type', 'application/json').end('{}'))
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  t.teardown(() => { collector.close() })
  // as: it listens on a port.
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const spans = () => batches.flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(it => it.spans)))
  return { endpoint, batches, spans }
}

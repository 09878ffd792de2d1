import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { freePort } from '../support/stack.js'
import type { Api, Operation } from '../support/openapi/document.js'
import { startCheckingProxy } from '../support/openapi/proxy.js'

const string = { type: 'string' }
const customer = { type: 'object', required: ['id', 'name'], properties: { id: { type: 'integer' }, name: string } }

/** What the service of these tests does. */
const RIGHT: Operation = {
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }, { name: 'fields', in: 'query', schema: string }],
  requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', required: ['age'], properties: { age: { type: 'integer' } } } } } },
  responses: { 200: { headers: { etag: { schema: string, required: true } }, content: { 'application/json': { schema: customer } } } }
}

/** Sends one request through the proxy, which has a document with one operation; gives what it found. */
async function findingsOf (t: Test, operation: Operation, path = '/customer/{id}'): Promise<string[]> {
  const service = createServer((_, response) => {
    response.writeHead(200, { etag: '"1"', 'content-type': 'application/json' }).end('{"id":1,"name":"Zoë"}')
  }).listen(0, 'localhost')
  await once(service, 'listening')
  t.teardown(() => { service.closeAllConnections(); service.close() })
  // as: it listens on a port.
  const target = `http://localhost:${(service.address() as AddressInfo).port}`
  const [port, api] = [await freePort(), { paths: { [path]: { put: operation } } } satisfies Api]
  const proxy = await startCheckingProxy(t, port, target, async () => api)
  const response = await fetch(`http://localhost:${port}/customer/1?fields=name`, { method: 'PUT', body: new URLSearchParams({ age: '33' }) })
  t.equal(await response.text(), '{"id":1,"name":"Zoë"}', 'what passes is not changed')
  await proxy.settled()
  t.equal(proxy.compared(), 1)
  return proxy.findings()
}

t.test('what passes as the document says is no finding', async t => {
  t.same(await findingsOf(t, RIGHT), [])
})

t.test('a document that is wrong is found out, with method, path and difference', async t => {
  const answer = RIGHT.responses[200]!
  const wrong: Array<[operation: Operation, sentence: string]> = [
    [{ ...RIGHT, responses: { 201: answer } }, 'the status 200 is not documented.'],
    [{ ...RIGHT, responses: { 200: { ...answer, headers: {} } } }, '200: the header etag is not documented.'],
    [{ ...RIGHT, responses: { 200: { ...answer, headers: { ...answer.headers, link: { schema: string, required: true } } } } }, '200: the header link is missing.'],
    [{ ...RIGHT, responses: { 200: { ...answer, content: { 'text/plain': { schema: string } } } } }, '200: the content type application/json is not documented.'],
    [
      { ...RIGHT, responses: { 200: { ...answer, content: { 'application/json': { schema: { ...customer, required: ['id', 'age'] } } } } } },
      "200: the body (application/json) must have required property 'age'."
    ],
    [
      { ...RIGHT, responses: { 200: { ...answer, content: { 'application/json': { schema: { ...customer, properties: { id: string } } } } } } },
      '200: the body (application/json) /id must be string.'
    ],
    [{ ...RIGHT, parameters: [RIGHT.parameters![0]!] }, 'the parameter fields in query is not documented.'],
    [{ ...RIGHT, parameters: [...RIGHT.parameters!, { name: 'if-match', in: 'header', required: true, schema: string }] }, 'the parameter if-match in header is missing.'],
    [{ ...RIGHT, parameters: [{ name: 'id', in: 'path', schema: { type: 'integer', minimum: 2 } }, RIGHT.parameters![1]!] }, 'the parameter id in path must be >= 2.'],
    [{ ...RIGHT, requestBody: { content: { 'application/json': {} } } }, 'request: the content type application/x-www-form-urlencoded is not documented.'],
    [
      { ...RIGHT, requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', required: ['name'] } } } } },
      "request: the body (application/x-www-form-urlencoded) must have required property 'name'."
    ]
  ]
  for (const [operation, sentence] of wrong) t.same(await findingsOf(t, operation), [`PUT /customer/{id}: ${sentence}`])
  t.same(await findingsOf(t, RIGHT, '/elsewhere'), ['PUT /customer/1 is not documented (status 200).'])
})

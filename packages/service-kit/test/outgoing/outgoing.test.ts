import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import https from 'node:https'
import { generate } from 'selfsigned'
import t, { type Test } from 'tap'
import { addressRule, guardedLookup } from '../../src/outgoing/address-rule.js'
import { Outgoing, whyNotOutgoing, type OutgoingOptions } from '../../src/outgoing/outgoing.js'

const LIMITS = { timeoutMs: 5_000, maxBytes: 1_000 }
const allowed = (options: Partial<OutgoingOptions> = {}) => new Outgoing({ allowPrivateNetworks: true, maxAtOnce: 4, ...options })
const publicOnly = (options: Partial<OutgoingOptions> = {}) => allowed({ allowPrivateNetworks: false, ...options })
/** DNS whose answers are given in turn. */
const dns = (...answers: string[][]): NonNullable<OutgoingOptions['resolve']> => (name, options, callback) => {
  const addresses = answers.length > 1 ? answers.shift() : answers[0]
  callback(null, (addresses ?? []).map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })))
}

async function portOf (t: Test, server: Server | https.Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  // as: a server that listens on a port has such an address.
  return (server.address() as { port: number }).port
}

const startServer = (t: Test, listener: RequestListener) => portOf(t, createServer(listener))

t.test('a form is posted and a document fetched, without cookies, a proxy or a connection that is kept', async t => {
  process.env.http_proxy = process.env.HTTP_PROXY = 'http://127.0.0.1:1'
  t.teardown(() => { delete process.env.http_proxy; delete process.env.HTTP_PROXY })
  const seen: unknown[] = []
  const port = await startServer(t, (request, response) => {
    let body = ''
    request.on('data', chunk => { body += String(chunk) }).on('end', () => {
      seen.push([request.method, request.url, request.headers.host, request.headers.connection, request.headers.cookie, body])
      response.writeHead(201, { 'set-cookie': 'a=b' }).end('{"é":1}')
    })
  })
  const outgoing = allowed({ resolve: dns(['127.0.0.1']) })
  const post = await outgoing.send({
    ...LIMITS, url: `http://app.localhost:${port}/a?b=c`, method: 'POST', body: 'x=y', headers: { 'content-type': 'application/x-www-form-urlencoded' }
  })
  t.same([post.status, post.text], [201, '{"é":1}'])
  await outgoing.send({ ...LIMITS, url: `http://127.1:${port}` })
  t.same(seen, [
    ['POST', '/a?b=c', `app.localhost:${port}`, 'close', undefined, 'x=y'], ['GET', '/', `127.0.0.1:${port}`, 'close', undefined, '']
  ])
})

t.test('TLS is verified against trusted authorities and the name in the URL', async t => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'app.example' }], {
    keyType: 'ec', extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'app.example' }] }]
  })
  const port = await portOf(t, https.createServer({ cert, key }, (request, response) => response.end('hello')))
  const resolve = dns(['127.0.0.1'])
  t.match(await allowed({ ca: cert, resolve }).send({ ...LIMITS, url: `https://app.example:${port}` }), { status: 200, text: 'hello' })
  await t.rejects(allowed({ resolve }).send({ ...LIMITS, url: `https://app.example:${port}` }), { code: 'certificate' })
  await t.rejects(allowed({ ca: cert, resolve }).send({ ...LIMITS, url: `https://b.example:${port}/secret?key` }), {
    name: 'Error', code: 'certificate of another', message: `The request to b.example:${port} failed: the TLS certificate is for other names.`
  })
})

t.test('a server that drips, never ends, redirects or speaks something else', async t => {
  const port = await startServer(t, (request, response) => {
    if (request.url === '/redirect') response.writeHead(302, { location: '/other' }).end()
    if (request.url === '/cut') request.socket.destroy()
    if (request.url === '/drip') response.write('.')
    if (request.url === '/endless') {
      const more = () => { while (response.write('.'.repeat(500))); }
      response.on('drain', more)
      more()
    }
  })
  const outgoing = allowed()
  const url = `http://127.0.0.1:${port}`
  t.match(await outgoing.send({ ...LIMITS, url: `${url}/redirect` }), { status: 302, headers: { location: '/other' } })
  await t.rejects(outgoing.send({ ...LIMITS, url: `${url}/endless` }), { code: 'too large' })
  await t.rejects(outgoing.send({ ...LIMITS, url: `${url}/drip`, timeoutMs: 100 }), { code: 'timeout' })
  await t.rejects(outgoing.send({ ...LIMITS, url: `${url}/silent`, timeoutMs: 100 }), { code: 'timeout' })
  await t.rejects(outgoing.send({ ...LIMITS, url: `${url}/cut` }), { code: 'cut off' })
  await t.rejects(outgoing.send({ ...LIMITS, url: `${url}/silent`, signal: AbortSignal.abort() }), { code: 'other' })
  await t.rejects(outgoing.send({ ...LIMITS, url: `https://127.0.0.1:${port}` }), { code: 'no tls' })
  const four = Array.from({ length: 4 }, () => outgoing.send({ ...LIMITS, url: `${url}/silent`, timeoutMs: 500 }))
  await t.rejects(outgoing.send({ ...LIMITS, url }), { code: 'busy', message: /: too many requests are in progress\.$/ })
  t.same((await Promise.allSettled(four)).map(({ status }) => status), ['rejected', 'rejected', 'rejected', 'rejected'])
  t.match(await outgoing.send({ ...LIMITS, url: `${url}/redirect` }), { status: 302 })
})

t.test('a name is resolved once, when it is connected to, so another answer of DNS does not lead inside (rebinding)', async t => {
  let connections = 0
  const server = createServer((request, response) => response.end())
  server.on('connection', () => connections++)
  const port = await portOf(t, server)
  const url = `https://app.example:${port}`
  const rebinding = allowed({ resolve: dns(['127.0.0.1'], ['169.254.169.254']) })
  t.match(await rebinding.send({ ...LIMITS, url: `http://app.example:${port}` }), { status: 200 })
  await t.rejects(rebinding.send({ ...LIMITS, url }), { code: 'address' })
  t.equal(connections, 1)

  const lookup = guardedLookup('app.example', addressRule(false), dns(['8.8.8.8'], ['127.0.0.1'], ['10.0.0.1', '8.8.8.8', '::1'], ['8.8.8.8']))
  const look = (all: boolean) => new Promise((resolve, reject) => {
    lookup('app.example', { all }, (error, address) => error === null ? resolve(address) : reject(error))
  })
  t.same(await look(true), [{ address: '8.8.8.8', family: 4 }])
  await t.rejects(look(true), { code: 'address' })
  t.same(await look(true), [{ address: '8.8.8.8', family: 4 }])
  t.equal(await look(false), '8.8.8.8')

  await t.rejects(publicOnly().send({ ...LIMITS, url: `https://localhost:${port}` }), { code: 'address' })
  await t.rejects(publicOnly({ resolve: dns([]) }).send({ ...LIMITS, url }), { code: 'address' })
  await t.rejects(publicOnly({ resolve: (name, options, callback) => callback(Object.assign(new Error(), { code: 'ENOTFOUND' }), []) })
    .send({ ...LIMITS, url }), { code: 'unknown host' })
  await t.rejects(allowed({ resolve: dns(['10.0.0.1']) }).send({ ...LIMITS, url: `http://localhost:${port}` }), { code: 'address' })
  t.equal(connections, 1)
})

t.test('a server that switches to another protocol does not keep a request under way', async t => {
  const server = createServer().on('connection', socket => {
    socket.on('error', () => {}).end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
  })
  const url = `http://localhost:${await portOf(t, server)}`
  const outgoing = allowed({ maxAtOnce: 1 })
  for (let i = 0; i < 3; i++) await t.rejects(outgoing.send({ ...LIMITS, url }), { name: 'Error', message: /^The request to localhost:\d+ failed/, code: /^(?!busy)/ })
})

t.test('a client may not register a URL that is never requested', async t => {
  const rows: Array<[url: string, publicOnly: string | null, allowed: string | null]> = [
    ['https://app.example:8443/logout?a=b', null, null],
    ['http://localhost:3002/logout', 'https', null],
    ['ftp://app.example', 'an https URL', 'an https URL'],
    ...['https://app.example/\0', 'https://app\n.example/', 'https://app.example/\u001b[1m', 'https://app.example/\u202e', 'https://äpp.example/', 'https:\\\\app.example', 'https:app.example']
      .map((url): [string, string, string] => [url, 'an https URL', 'an https URL']),
    ['http://app.example/', 'https', 'https'],
    ['https://me@app.example', 'without user name and fragment', 'without user name and fragment'],
    ['https://app.example#', 'without user name and fragment', 'without user name and fragment'],
    ['app.example', 'an https URL', 'an https URL'],
    ['https://127.0.0.1/', 'at a public address', null],
    ['https://[::ffff:10.0.0.1]/', 'at a public address', null],
    ['https://2852039166/', 'at a public address', 'an address that can be reached'],
    ['http://10.0.0.1/', 'https', 'https']
  ]
  for (const [url, publicOnly, allowed] of rows) t.same([whyNotOutgoing(url, false), whyNotOutgoing(url, true)], [publicOnly, allowed], url)
  await t.rejects(publicOnly().send({ ...LIMITS, url: 'http://app.example/' }), { code: 'url', message: /^The request to app\.example failed/ })
  await t.rejects(publicOnly().send({ ...LIMITS, url: 'app.example' }), { code: 'url' })
})

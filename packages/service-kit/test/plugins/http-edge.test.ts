import Fastify from 'fastify'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import allowedMethods from '../../src/plugins/allowed-methods.js'
import clientErrors, { type ClientErrorsOptions } from '../../src/plugins/client-errors.js'
import oneHost from '../../src/plugins/one-host.js'
import requestLog from '../../src/plugins/request-log.js'
import { serverOptions } from '../../src/server-options.js'

const text = (statusCode: number, body: string) => ({ statusCode, headers: {}, body })

/** A server with the whole edge and two routes, and a function that sends bytes and gives all that comes back. */
async function start (t: Test, options: Partial<ClientErrorsOptions> = {}) {
  const log: string[] = []
  const fastify = Fastify(
    serverOptions({ trustProxy: false, logLevel: 'info' }, { service: 'test', requestTimeout: 10_000, log: { write: line => log.push(line) } })
  )
  await fastify.register(allowedMethods)
  await fastify.register(requestLog, {})
  await fastify.register(oneHost, { error: message => Object.assign(new Error(message), { statusCode: 400 }) })
  await fastify.register(clientErrors, {
    refuse: refusal => text(refusal.statusCode, 'longest' in refusal ? refusal.longest : 'refused'),
    refuseMethod: (method, target) => text(405, `${method} ${fastify.methodsAt(target).join()}`),
    ...options
  })
  fastify.options('/things/:id', async () => 'options')
  fastify.get('/things/:id', async () => 'thing')
  fastify.post('/a.b', async () => 'posted')
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(() => fastify.close())
  // as: a server that listens on a port has such an address.
  const { port } = fastify.server.address() as AddressInfo
  const send = async (bytes: string, rest = '') => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    let received = ''
    socket.on('data', data => { received += data }).on('error', () => {})
    socket.write(bytes)
    if (rest !== '') {
      await setTimeout(200)
      socket.write(rest)
    }
    await once(socket, 'close')
    return received
  }
  return { fastify, send, log }
}

t.test('the methods of a path are those of its routes, OPTIONS last; a damaged path has none', async t => {
  const { fastify } = await start(t)
  t.same(fastify.methodsAt('/things/1?x=/a.b'), ['GET', 'HEAD', 'OPTIONS'])
  t.same(fastify.methodsAt('http://example.com/things/%C3%A4'), ['GET', 'HEAD', 'OPTIONS'])
  t.same(fastify.methodsAt('/a.b'), ['POST'])
  for (const url of ['/things', '/things/', '/things/1/', '/things/1/2', '/axb', '/a.b/', '/%', '/things/%FF', '*', '']) {
    t.same(fastify.methodsAt(url), [], url)
  }
})

t.test('exactly one Host header is required of HTTP/1.1, and the connection is closed without it', async t => {
  const { send } = await start(t)
  for (const hosts of ['', 'Host: a\r\nhost: a\r\n', 'Host: a\r\nHost: b\r\n']) {
    t.match(await send(`GET /things/1 HTTP/1.1\r\n${hosts}\r\n`), /^HTTP\/1\.1 400 [^]*connection: close/, hosts)
  }
  t.match(await send('GET /things/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 200 /)
  t.match(await send('GET /things/1 HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
})

t.test('what never became a request is answered once, logged without what was sent, and closed', async t => {
  const { send, log } = await start(t)
  const rows: Array<[name: string, bytes: string, response: RegExp]> = [
    ['not HTTP', 'secret\r\n\r\n'.repeat(3), /^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\nrefused$/],
    ['long headers', `GET /secret HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, /^HTTP\/1\.1 431 [^]*\r\nfields$/],
    ['an unknown method', 'FOO /things/1 HTTP/1.1\r\nCookie: secret\r\n\r\n', /^HTTP\/1\.1 405 [^]*\r\nFOO GET,HEAD,OPTIONS$/],
    ['CONNECT', 'CONNECT secret.example:443 HTTP/1.1\r\nHost: a\r\n\r\n', /^HTTP\/1\.1 405 [^]*\r\nCONNECT $/]
  ]
  for (const [name, bytes, response] of rows) {
    log.length = 0
    const received = await send(bytes)
    t.match(received, response, name)
    t.match(received, /connection: close/, name)
    t.equal(log.length, 1, name)
    t.match(JSON.parse(log[0]!), { msg: 'request', requestId: /^[0-9a-f-]{36}$/, status: Number, reason: String, ip: '127.0.0.1' })
    t.notMatch(log[0], 'secret')
  }
})

t.test('a head that is too long is refused by what takes most of it, also if it comes in parts', async t => {
  const { send } = await start(t)
  const cookies = Array.from({ length: 40 }, (_, i) => `app${i}=${'c'.repeat(500)}`).join('; ')
  const [line, host, own] = ['GET /things/1 HTTP/1.1\r\n', 'Host: a\r\n', 'X-Own: 1\r\n']
  const rows: Array<[head: string, longest: string]> = [
    [`${line}${host}Cookie: ${cookies}\r\n${own}`, 'cookies'],
    [`${line}${host}Cookie: a=1\r\ncookie: ${cookies}\r\n`, 'cookies'],
    [`${line}Cookie: ${cookies.slice(0, 16_000)}\r\n${host}X: ${'x'.repeat(2_000)}\r\n`, 'cookies'],
    [`${line}${host}Cookie: a=1\r\nX: ${'x'.repeat(17_000)}\r\n`, 'fields'],
    [`GET /things/${'1'.repeat(17_000)}?a=b HTTP/1.1\r\n${host}Cookie: a=1\r\n`, 'address']
  ]
  for (const [head, longest] of rows) {
    t.match(await send(`${head}\r\n`), new RegExp(`^HTTP/1\\.1 431 [^]*\\r\\n${longest}$`), head.slice(0, 60))
    t.match(await send(head.slice(0, 10_000), `${head.slice(10_000)}\r\n`), new RegExp(`\\r\\n${longest}$`), 'in two parts')
  }
})

t.test('a mistake in the service while it answers what never became a request ends that connection, not the process', async t => {
  const mistakes: Array<ClientErrorsOptions['refuse']> = [
    () => {
      throw new Error('a mistake')
    },
    async () => {
      throw new Error('a mistake')
    }
  ]
  for (const refuse of mistakes) {
    const { send, log } = await start(t, { refuse })
    t.equal(await send('not HTTP\r\n\r\n'), '')
    t.match(JSON.parse(log.at(-1)!), { level: 50, err: { message: 'a mistake' } })
    t.match(await send('GET /things/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 200 /)
  }
})

t.test('X-Request-Id is returned if it is well-formed, else replaced', async t => {
  const { fastify } = await start(t)
  const idOf = async (id: string) => (await fastify.inject({ url: '/things/1', headers: { 'x-request-id': id } })).headers['x-request-id']
  for (const id of ['a', 'A-b_c.9', 'x'.repeat(64)]) t.equal(await idOf(id), id)
  for (const id of ['', 'x'.repeat(65), 'a b', 'a,b', 'ä']) t.match(await idOf(id), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/, id)
})

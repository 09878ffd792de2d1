import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { limitConnections } from '../../src/sockets/connections.js'
import { limitPipelining, MAX_HANDLED, MAX_UNANSWERED } from '../../src/sockets/pipelining.js'

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
const BODY = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n'

/** A server with both bounds, four connections at most, and what connects to it. */
async function start (t: Test, handle: RequestListener) {
  const server = createServer(handle)
  limitPipelining(server)
  limitConnections(server, 4)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  // as: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  return async (text = ''): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await Promise.all([once(socket, 'connect'), once(server, 'connection')])
    if (text !== '') socket.write(text)
    return socket
  }
}

/** Waits for an answer. */
async function answer (socket: Socket): Promise<string> {
  const [data] = await once(socket, 'data')
  return String(data)
}

const closed = async (socket: Socket) => await new Promise<true>(resolve => socket.resume().once('close', () => resolve(true)))
const ok: RequestListener = (request, response) => request.resume().once('end', () => response.end('ok'))

t.test('beyond the bound the connection goes that has waited longest without a complete request', async t => {
  const open = await start(t, ok)
  const honest = await open(REQUEST)
  await answer(honest)
  const silent = [await open(), await open('GET / HTTP/1.1\r\nHos'), await open(BODY)]
  for (const oldest of silent) {
    const end = closed(oldest)
    t.match(await answer(await open(REQUEST)), /200 OK/, 'a new one is served')
    t.ok(await end, 'in the place of the oldest')
  }
  honest.write(REQUEST)
  t.match(await answer(honest), /200 OK/, 'a connection that had been served stays')
})

t.test('where all have sent requests, the one that has been idle longest goes', async t => {
  const open = await start(t, ok)
  const sockets = []
  for (let i = 0; i < 4; i++) {
    const socket = await open(REQUEST)
    await answer(socket)
    sockets.push(socket)
  }
  const [first, second] = sockets as [Socket, Socket]
  first.write(REQUEST)
  await answer(first)
  const end = closed(second)
  t.match(await answer(await open(REQUEST)), /200 OK/)
  t.ok(await end, 'the second: the first has asked since')
})

t.test('where all are being answered, one that does not read goes, and else the new one is closed', async t => {
  let received = () => {}
  const open = await start(t, (request, response) => {
    if (request.url === '/unread') response.write(Buffer.alloc(64 * 1024 * 1024))
    received()
  })
  const ask = async (path: string) => {
    const seen = new Promise<void>(resolve => { received = resolve })
    const socket = (await open(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)).pause()
    await seen
    return socket
  }
  const unread = await ask('/unread')
  for (let i = 0; i < 3; i++) await ask('/slow')
  const slow = await ask('/slow')
  const nudge = setInterval(() => unread.write(' '), 20)
  t.ok(await closed(unread), 'this answer is not read')
  clearInterval(nudge)
  t.ok(await closed(await open()), 'all others wait for the server')
  t.notOk(slow.destroyed)
})

t.test(`of one connection ${MAX_HANDLED} requests are handled at once, and the others in turn`, async t => {
  const responses: Array<() => void> = []
  let most = 0
  const open = await start(t, (request, response) => {
    responses.push(() => response.end(request.url))
    most = Math.max(most, responses.length)
  })
  const paths = Array.from({ length: MAX_UNANSWERED }, (_, i) => `/${i}`)
  const socket = (await open(paths.map(path => REQUEST.replace('/', path)).join(''))).setEncoding('utf8')
  let received = ''
  socket.on('data', text => { received += text })
  while (!received.endsWith(paths.at(-1)!)) {
    await new Promise(setImmediate)
    responses.shift()?.()
  }
  t.equal(most, MAX_HANDLED)
  t.same([...received.matchAll(/\r\n\r\n(\/\d+)/g)].map(([, path]) => path), paths, 'in order')
})

t.test(`one request more than ${MAX_UNANSWERED} without an answer closes the connection, and nothing more of it is handled`, async t => {
  let handled = 0
  const open = await start(t, () => { handled++ })
  t.ok(await closed(await open(REQUEST.repeat(MAX_UNANSWERED + 1))))
  t.equal(handled, MAX_HANDLED)
})

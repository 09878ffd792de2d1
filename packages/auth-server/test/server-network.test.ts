import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { sqliteFile } from './support/database.js'
import { client, query } from './support/helper.js'
import { exitCode, start } from './support/server-process.js'
import { openStores } from '../src/stores/stores.js'

/** Sends bytes; gives all that comes back. */
async function raw (port: number, bytes: string, end = true): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  let received = ''
  socket.on('data', data => { received += data }).on('error', () => {})
  socket.write(bytes)
  if (end) socket.end()
  await once(socket, 'close')
  return received
}

t.test('SIGTERM under load: readiness 503 at once, every request answered, exit 0', async t => {
  const DATABASE_URL = sqliteFile(t)
  const stores = await openStores(DATABASE_URL)
  await stores.clients.put(client())
  await stores.close()
  const { child, address, port } = await start(t, { DATABASE_URL })
  const idle = connect(port, '127.0.0.1')
  t.teardown(() => idle.destroy())
  await once(idle, 'connect')

  // Callers that go elsewhere once readiness is 503, as load balancers do.
  let leaving = false
  const statuses: number[] = []
  const caller = async () => {
    for (;;) {
      const response = await fetch(`${address}/consent?${query()}`)
      await response.text()
      statuses.push(response.status)
      if (leaving) return
    }
  }
  const callers = Array.from({ length: 8 }, caller)
  await new Promise(resolve => setTimeout(resolve, 300))
  const asked = Date.now()
  child.kill('SIGTERM')
  while ((await fetch(`${address}/health/ready`)).status !== 503) t.ok(Date.now() - asked < 500, 'readiness is 503 at once')
  await new Promise(resolve => setTimeout(resolve, 200))
  leaving = true
  await Promise.all(callers)
  t.ok(statuses.length >= 8, `${statuses.length} answered`)
  t.same(statuses.filter(status => status !== 200), [])
  t.equal(await exitCode(child), 0)
  t.ok(Date.now() - asked < 10_000)
})

t.test('malformed HTTP is refused and closed; slow senders are cut off while others are served', async t => {
  const { port, address, output } = await start(t, { DATABASE_URL: sqliteFile(t), LOG_LEVEL: 'trace' })
  const rows: Array<[name: string, bytes: string, status: RegExp]> = [
    ['no Host', 'GET /health/live HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 [^]*connection: close/i],
    ['two lengths', 'POST /consent HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', /^HTTP\/1\.1 400/],
    [
      'length with transfer encoding',
      'POST /consent HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1\.1 400/
    ],
    ['headers over 16 KiB', `GET /health/live HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, /^HTTP\/1\.1 431 [^]*header fields are too large/],
    ['cookies over 16 KiB', `GET /account HTTP/1.1\r\nHost: x\r\nCookie: a=${'x'.repeat(17_000)}\r\n\r\n`, /^HTTP\/1\.1 431 [^]*The cookies of this site are too large/],
    ['not HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400/],
    ['two hosts', 'GET /health/live HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 400/],
    [
      'a broken escape in the path',
      'GET /authorize%?state=secret HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      /^HTTP\/1\.1 400 [^]*This page&#39;s address is malformed/
    ],
    ['an unknown method', 'FOO /authorize?state=secret HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 405 [^]*allow: GET, HEAD/],
    ['an unknown method, where OPTIONS is answered', 'FOO /token HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 405 [^]*allow: POST, OPTIONS/],
    [
      'an unknown method, at a damaged address',
      'FOO /% HTTP/1.1\r\nHost: x\r\n\r\n',
      /^HTTP\/1\.1 400 [^]*This page&#39;s address is malformed/
    ],
    ['CONNECT', 'CONNECT /token HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 405 [^]*allow: POST, OPTIONS/],
    ['CONNECT to another host', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 400 [^]*The request is malformed/],
    [
      'a space before the colon',
      'POST /consent?state=secret HTTP/1.1\r\nHost: x\r\nCookie: a=secret\r\nContent-Length : 4\r\n\r\nx=secret',
      /^HTTP\/1\.1 400 [^]*Reference/
    ]
  ]
  for (const [name, bytes, status] of rows) t.match(await raw(port, bytes, false), status, name)
  t.notMatch(output(), /secret|rawPacket/, 'what was sent is not logged, not even at trace')

  const slow = [
    raw(port, 'GET /health/live HTTP/1.1\r\nHost: x\r\nX: ', false),
    raw(
      port,
      'POST /consent HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na=',
      false
    )
  ]
  const begun = Date.now()
  while (Date.now() - begun < 2_000) t.equal((await fetch(`${address}/health/live`)).status, 200)
  await Promise.all(slow)
  t.ok(Date.now() - begun < 15_000, 'closed by timeouts')
})

t.test('the page for too large cookies holds its style, which its policy allows: the stylesheet would be refused, too', async t => {
  const { port } = await start(t, { DATABASE_URL: sqliteFile(t), BRAND_COLOR: '#0b6e4f' })
  const page = await raw(port, `GET /account HTTP/1.1\r\nHost: x\r\nCookie: a=${'x'.repeat(17_000)}\r\n\r\n`, false)
  const [, style = ''] = /<style>([^]*)<\/style>/.exec(page) ?? []
  t.match(style, /--accent: #0b6e4f/, 'the design, with the color of the brand')
  t.match(style, 'prefers-color-scheme: dark')
  t.match(page, `style-src 'self' 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
  t.notMatch(page, 'rel="stylesheet"')
})

import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import t from 'tap'
import { build } from './support/build.js'

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

t.test('an error is a page for browsers, and problem+json for programs (RFC 9457)', async t => {
  const desk = await build(t)
  desk.get('/broken', () => { throw new Error('a secret') })
  const rows = [
    ['GET', '/nowhere', 404, 'This page does not exist.'],
    ['POST', '/', 405, 'This address does not support that method.'],
    ['GET', '/broken', 500, 'Something went wrong.'],
    ['POST', '/nowhere', 404, 'This page does not exist.']
  ] as const
  for (const [method, url, status, title] of rows) {
    const page = await desk.inject({ method, url, headers: browser })
    t.match([page.statusCode, page.headers['content-type'], page.headers['cache-control']], [status, 'text/html; charset=utf-8', 'no-store'], url)
    t.match(page.body, `<h1>${title}</h1>`)
    t.match(page.body, 'Go to the desk')
    t.match(page.body, `Reference: <code dir="ltr">${page.headers['x-request-id']}</code>`)
    const problem = await desk.inject({ method, url })
    t.equal(problem.headers['content-type'], 'application/problem+json; charset=utf-8')
    t.match(problem.json(), { type: 'about:blank', title, status, requestId: problem.headers['x-request-id'] })
    t.notMatch(page.body + problem.body, 'a secret')
  }
  t.equal((await desk.inject({ method: 'POST', url: '/' })).headers.allow, 'GET, HEAD')
})

t.test('an error page can be read in another language', async t => {
  const desk = await build(t)
  const page = await desk.inject({ url: '/nowhere?a=1&b=2', headers: browser })
  t.match(page.body, '<strong lang="en" aria-current="true">English</strong>')
  const [, href = ''] = /<a lang="ar" href="([^"]*)">العربية<\/a>/.exec(page.body) ?? []
  const chosen = await desk.inject({ url: href.replaceAll('&#38;', '&'), headers: browser })
  t.match([chosen.statusCode, chosen.headers.location], [303, '/nowhere?a=1&b=2'])
  const [cookie = ''] = String(chosen.headers['set-cookie']).split(';')
  const translated = await desk.inject({ url: String(chosen.headers.location), headers: { ...browser, cookie } })
  t.equal(translated.statusCode, 404)
  t.match(translated.body, /<html lang="ar" dir="rtl">[^]*<strong lang="ar" aria-current="true">/)
  for (const back of ['https://evil.example/', '//evil.example/', '/\\evil.example/', '/..//evil.example', '']) {
    const { headers } = await desk.inject({ url: `/language?${new URLSearchParams({ to: 'xx', back })}`, headers: browser })
    t.match(headers, { location: '/', 'set-cookie': undefined }, back)
  }
})

t.test('requests without Host (RFC 9112 §3.2), and those that Node.js cannot parse, get a page, too', async t => {
  const desk = await build(t)
  await desk.listen({ host: '127.0.0.1', port: 0 })
  // as: a server that listens on a port has such an address.
  const { port } = desk.server.address() as AddressInfo
  const rows: Array<[bytes: string, answer: RegExp]> = [
    ['GET / HTTP/1.1\r\nAccept: text/html\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 400 [^]*<h1>The request is malformed\.<\/h1>/],
    ['GET / HTTP/1.1\r\nHost: a\r\nBad Header\r\n\r\n', /^HTTP\/1\.1 400 [^]*<h1>The request is malformed\.<\/h1>/],
    [`GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 431 [^]*<h1>The request's header fields are too large\.<\/h1>/],
    ['BREW / HTTP/1.1\r\nHost: a\r\n\r\n', /^HTTP\/1\.1 405 [^]*allow: GET, HEAD[^]*<h1>This address does not support that method\.<\/h1>/i]
  ]
  for (const [bytes, answer] of rows) {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    let received = ''
    socket.on('data', data => { received += data }).on('error', () => {})
    socket.write(bytes)
    await once(socket, 'close')
    t.match(received, answer)
    t.match(received, /content-security-policy: default-src 'none'; style-src 'sha256-/)
  }
})

t.test('readiness is 503 as soon as the process stops', async t => {
  const desk = await build(t, { PROT: '1' })
  await desk.listen({ host: '127.0.0.1', port: 0 })
  t.match((await desk.inject('/health/live')).json(), { status: 'ok' })
  const ready = await desk.inject('/health/ready')
  t.match(ready.json(), { status: 'ok', checks: { process: 'ok', settings: 'PROT is not a setting. Did you mean PORT?' } })
  const drained = desk.drain()
  t.match((await desk.inject('/health/ready')).statusCode, 503)
  await drained
})

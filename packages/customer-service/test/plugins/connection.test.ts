import t from 'tap'
import { PATH, buildOnce } from '../support/helper.js'
import { exchange, read, request } from '../support/socket.js'

const host = 'Host: localhost'
const close = 'Connection: close'

t.test('requests that break HTTP are answered with a problem and closed', async t => {
  const { listen } = await buildOnce(t)
  const port = await listen()
  const post = `POST ${PATH} HTTP/1.1`
  const type = 'Content-Type: application/x-www-form-urlencoded'
  const table: Array<[name: string, text: string, status: number]> = [
    ['Content-Length with Transfer-Encoding', request(post, host, type, 'Content-Length: 1', 'Transfer-Encoding: chunked') + '0\r\n\r\n', 400],
    ['Transfer-Encoding with Content-Length', request(post, host, type, 'Transfer-Encoding: chunked', 'Content-Length: 1') + '0\r\n\r\n', 400],
    ['two lengths', request(post, host, type, 'Content-Length: 1', 'Content-Length: 2') + 'ab', 400],
    ['a length that is no number', request(post, host, type, 'Content-Length: 1x') + 'a', 400],
    ['Transfer-Encoding other than chunked', request(post, host, type, 'Transfer-Encoding: chunked, identity') + '0\r\n\r\n', 400],
    ['a broken chunk', request(post, host, type, 'Transfer-Encoding: chunked') + 'zz\r\n\r\n', 400],
    ['no Host', request('GET /health/live HTTP/1.1'), 400],
    ['two Hosts', request('GET /health/live HTTP/1.1', host, 'Host: other'), 400],
    ['a blank before the colon', request('GET /health/live HTTP/1.1', host, 'X-Test : 1'), 400],
    ['a folded header', request('GET /health/live HTTP/1.1', host, 'X-Test: 1', ' 2'), 400],
    ['a header without a name', request('GET /health/live HTTP/1.1', host, ': 1'), 400],
    ['a bare LF', 'GET /health/live HTTP/1.1\nHost: localhost\n\n', 400],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
    ['an unknown version', request('GET /health/live HTTP/3.0', host), 400],
    ['headers of 17 KiB', request('GET /health/live HTTP/1.1', host, `X-Long: ${'x'.repeat(17_000)}`), 431],
    ['a path of 17 KiB', request(`GET /${'x'.repeat(17_000)} HTTP/1.1`, host), 431],
    ['a verb that Node does not know, on a known path', request(`FOO ${PATH} HTTP/1.1`, host), 405],
    ['a verb that Node does not know, on an unknown path', request('FOO /nowhere HTTP/1.1', host), 404],
    ['a verb that Node does not know, on a path with a broken escape', request('FOO /% HTTP/1.1', host), 404],
    ['CONNECT to a path with a broken escape', request('CONNECT /%FF HTTP/1.1', host), 404],
    ['a verb in lower case', request(`get ${PATH}/1 HTTP/1.1`, host), 405],
    ['CONNECT', request(`CONNECT ${PATH} HTTP/1.1`, host), 405],
    ['CONNECT to another host', request('CONNECT example.com:443 HTTP/1.1', host), 400]
  ]
  for (const [name, text, status] of table) {
    const { status: got, head, problem } = read(await exchange(port, text))
    t.equal(got, status, name)
    t.match(head, /content-type: application\/problem\+json/i, name)
    t.match(head, /connection: close/i, name)
    t.match(problem, { type: /^https?:\/\/[^/]+\/problems\//, status, requestId: String }, name)
    if (status === 405) t.match(head, /allow: .*OPTIONS/i, name)
  }
})

t.test('cookies that are too large are named', async t => {
  const { listen } = await buildOnce(t)
  const { status, problem } = read(await exchange(await listen(), request(`GET ${PATH}/1 HTTP/1.1`, host, `Cookie: a=${'x'.repeat(17_000)}`)))
  t.equal(status, 431)
  t.match(problem, { detail: /Most of them are cookies/ })
})

t.test('two Authorization headers: 400 invalid_request', async t => {
  const { listen, everything } = await buildOnce(t)
  const port = await listen()
  const token = `Authorization: Bearer ${everything}`
  for (const second of [token, 'authorization: Basic x', 'AUTHORIZATION:']) {
    for (const lines of [[token, second], [second, token]]) {
      const { status, head } = read(await exchange(port, request(`GET ${PATH}/1 HTTP/1.1`, host, ...lines, close)))
      t.equal(status, 400, lines.join())
      t.match(head, 'error="invalid_request"')
    }
  }
})

t.test('two Content-Type headers: 415', async t => {
  const { listen, everything } = await buildOnce(t)
  const port = await listen()
  const type = 'Content-Type: application/x-www-form-urlencoded'
  const answer = await exchange(port, request(`POST ${PATH} HTTP/1.1`, host, `Authorization: Bearer ${everything}`, type, 'Content-Type: application/json', 'Content-Length: 2', close) + '{}')
  t.equal(read(answer).status, 415)
})

t.test('a body of more than 16 KiB: 413, by its length or while it comes', async t => {
  const { listen, send, everything, db } = await buildOnce(t)
  const port = await listen()
  const head = [`POST ${PATH} HTTP/1.1`, host, `Authorization: Bearer ${everything}`, 'Content-Type: application/x-www-form-urlencoded']
  const long = await exchange(port, request(...head, 'Content-Length: 16385', close))
  t.equal(read(long).status, 413, 'before any of it has come')
  t.equal(read(await exchange(port, request(...head, 'Content-Length: 9999999999'))).status, 413)
  const chunk = `1000\r\n${'a'.repeat(4096)}\r\n`
  t.equal(read(await exchange(port, request(...head, 'Transfer-Encoding: chunked') + chunk.repeat(5) + '0\r\n\r\n')).status, 413, 'in chunks')
  const form = 'customerid=1&customername=a&customerage=1&customeraddress=b&x='
  t.equal((await send('POST', PATH, { form: form + 'x'.repeat(16_384 - form.length) })).statusCode, 201, 'exactly 16 KiB')
  t.equal(await db.customer.count(), 1)
})

t.test('1,000 and 100,000 fields are refused within 50 ms of CPU time', async t => {
  const { listen, everything } = await buildOnce(t)
  const url = `http://127.0.0.1:${await listen()}${PATH}`
  const headers = { authorization: `Bearer ${everything}`, 'content-type': 'application/x-www-form-urlencoded' }
  const [few = '', many = ''] = [1_000, 100_000].map(count => Array.from({ length: count }, (_, index) => `f${index}=1`).join('&'))
  const post = async (body: string) => (await fetch(url, { method: 'POST', headers, body })).status
  t.equal(await post(few), 400)
  t.equal(await post(many), 413)
  // The client and the rest of this process count too: the quietest of three rounds decides.
  const times = []
  for (let round = 0; round < 3; round++) {
    const begun = process.cpuUsage()
    for (let count = 0; count < 5; count++) await Promise.all([post(few), post(many)])
    const { user, system } = process.cpuUsage(begun)
    times.push((user + system) / 5 / 1e3)
  }
  t.ok(Math.min(...times) < 50, times.map(Math.round).join(', '))
})

t.test('slow headers and stalled bodies are closed with 408 while others are served', async t => {
  const { http, listen, send, everything } = await buildOnce(t)
  const port = await listen()
  t.ok(http.server.headersTimeout <= 10_000 && http.server.requestTimeout <= 20_000)
  // The same clock, sped up.
  http.server.headersTimeout = 300
  http.server.requestTimeout = 600
  const slow = Array.from({ length: 50 }, async (_, index) => {
    const isBody = index % 2 === 0
    const text = isBody
      ? request(`POST ${PATH} HTTP/1.1`, host, `Authorization: Bearer ${everything}`, 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 100') + 'customer'
      : `GET ${PATH}/1 HTTP/1.1\r\nHost: loc`
    return await exchange(port, text, write => {
      const timer = setInterval(() => write(isBody ? 'x' : 'a'), 100)
      setTimeout(() => clearInterval(timer), 2_500)
    })
  })
  const served = setInterval(() => { send('GET', '/health/live').then(({ statusCode }) => t.equal(statusCode, 200), t.threw) }, 200)
  const answers = await Promise.all(slow)
  clearInterval(served)
  for (const answer of answers) t.match(read(answer), { status: 408, problem: { type: '/problems/request-timeout' } })
})

t.test('an unknown expectation is ignored', async t => {
  const { listen } = await buildOnce(t)
  t.equal(read(await exchange(await listen(), request('GET /health/live HTTP/1.1', host, 'Expect: something', close))).status, 200)
})

t.test('Expect: 100-continue is answered once the body is wanted: what the head refuses is refused at once (RFC 9110 §10.1.1)', async t => {
  const { listen, everything, db } = await buildOnce(t)
  const port = await listen()
  const type = 'Content-Type: application/x-www-form-urlencoded'
  const token = `Authorization: Bearer ${everything}`
  const expect = 'Expect: 100-continue'
  const table: Array<[name: string, head: string[], status: number]> = [
    ['too long', [`POST ${PATH} HTTP/1.1`, host, token, type, 'Content-Length: 16385'], 413],
    ['another type', [`POST ${PATH} HTTP/1.1`, host, token, 'Content-Type: application/json', 'Content-Length: 100'], 415],
    ['no token', [`POST ${PATH} HTTP/1.1`, host, type, 'Content-Length: 100'], 401],
    ['no such path', ['POST /nowhere HTTP/1.1', host, token, type, 'Content-Length: 100'], 404],
    ['no such method', [`PATCH ${PATH} HTTP/1.1`, host, token, type, 'Content-Length: 100'], 405]
  ]
  for (const [name, head, status] of table) {
    const answer = read(await exchange(port, request(...head, expect)))
    t.equal(answer.status, status, name)
    t.match(answer.head, /connection: close/i, 'the body may follow or not')
  }
  const form = 'customerid=1&customername=a&customerage=1&customeraddress=b'
  const answer = await exchange(port, request(`POST ${PATH} HTTP/1.1`, host, token, type, `Content-Length: ${form.length}`, expect, close), write => setTimeout(write, 50, form))
  t.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
  t.equal(await db.customer.count(), 1)
})

t.test('OPTIONS * is about the server as a whole (RFC 9110 §9.3.7)', async t => {
  const { listen } = await buildOnce(t)
  const { status, head } = read(await exchange(await listen(), request('OPTIONS * HTTP/1.1', host, close)))
  t.equal(status, 204)
  t.match(head, /allow: (?=.*GET)(?=.*HEAD)(?=.*POST)(?=.*PUT)(?=.*DELETE)(?=.*OPTIONS)/i)
})

t.test('requests that follow each other on one connection are answered in order', async t => {
  const { listen } = await buildOnce(t)
  const port = await listen()
  const answer = await exchange(port, request('GET /health/live HTTP/1.1', host) + request('GET /nowhere HTTP/1.1', host) + request('GET /health/live HTTP/1.1', host, close))
  t.same([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status), ['200', '404', '200'])
})

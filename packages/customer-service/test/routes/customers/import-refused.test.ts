import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { buildOnce, PATH } from '../../support/helper.js'
import { exchange, request } from '../../support/socket.js'

const UNREADABLE = 'number,name\n'

t.test('after a refused import, its connection serves the next request', async t => {
  const { listen, everything } = await buildOnce(t)
  const body = UNREADABLE + 'x'.repeat(200_000)
  const headers = ['Host: x', `Authorization: Bearer ${everything}`]
  const answers = await exchange(await listen(),
    request(`POST ${PATH}/import HTTP/1.1`, ...headers, 'Content-Type: text/csv', `Content-Length: ${body.length}`) + body +
    request(`GET ${PATH}/1 HTTP/1.1`, ...headers, 'Connection: close'))
  t.same([...answers.matchAll(/HTTP\/1.1 (\d+) /g)].map(([, status]) => status), ['400', '404'])
})

t.test('after a refused import, the rest of a long file closes its connection', async t => {
  const { listen, everything } = await buildOnce(t)
  const socket = connect(await listen(), '127.0.0.1').on('error', () => {})
  const closed = new Promise(resolve => { socket.once('close', resolve) })
  socket.write(request(`POST ${PATH}/import HTTP/1.1`, 'Host: x', `Authorization: Bearer ${everything}`, 'Content-Type: text/csv',
    'Content-Length: 1000000000') + UNREADABLE + '1,charitha\n'.repeat(100))
  const [answer] = await once(socket, 'data')
  let more = ''
  socket.on('data', bytes => { more += bytes })
  t.match(String(answer), /^HTTP\/1.1 400 /)
  socket.write(Buffer.alloc(2_000_000))
  await closed
  t.equal(more, '', 'at once, not by the request timeout')
})

const csv = 'number,name,age,address\n'

t.test('a process reads eight files at once: two of a person with one app, four of a person with all apps; more get a time to retry', async t => {
  const { http, issuer, everything } = await buildOnce(t)
  const send = (token: string) => {
    const file = new Readable({ read () {} })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' }
    return { file, answer: http.inject({ method: 'POST', url: `${PATH}/import`, headers, payload: file }) }
  }
  const open: Array<ReturnType<typeof send>> = []
  for (const person of ['one', 'another']) {
    const tokens = await Promise.all(['app', 'second-app'].map(app => issuer.mint({ claims: { sub: person, client_id: app } })))
    for (const token of tokens) {
      const own = Array.from({ length: 3 }, () => send(token))
      t.match(await Promise.race(own.map(({ answer }) => answer)), { statusCode: 503, headers: { 'retry-after': '2' } }, 'with an app')
      open.push(...own)
    }
    const own = [send(await issuer.mint({ claims: { sub: person, client_id: 'third-app' } }))]
    t.match(await Promise.race(own.map(({ answer }) => answer)), { statusCode: 503, headers: { 'retry-after': '2' } })
    open.push(...own)
  }
  const third = send(await issuer.mint({ claims: { sub: 'third' } }))
  t.equal((await third.answer).statusCode, 503, 'eight are read')
  for (const { file } of open) {
    file.push(csv)
    file.push(null)
  }
  const statuses = await Promise.all(open.map(async ({ answer }) => (await answer).statusCode))
  t.same(statuses.sort(), [...Array(8).fill(200), ...Array(6).fill(503)])
  const again = send(everything)
  again.file.push(csv)
  again.file.push(null)
  t.equal((await again.answer).statusCode, 200)
})

t.test('a file that arrives too slowly is refused with a report', async t => {
  const { http, db, everything } = await buildOnce(t)
  const file = new Readable({ read () {} })
  file.push(csv + Array.from({ length: 200 }, (_, index) => `${index + 1},name,33,street\n`).join(''))
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const headers = { authorization: `Bearer ${everything}`, 'content-type': 'text/csv' }
  const answer = http.inject({ method: 'POST', url: `${PATH}/import`, headers, payload: file })
  while (await db.customer.count() < 128) await setImmediate()
  const answered = new AbortController()
  answer.finally(() => answered.abort())
  while (!answered.signal.aborted) {
    mock.timers.tick(60_000)
    await setImmediate()
  }
  t.match(await answer, { statusCode: 408, headers: { connection: 'close' } })
  t.match((await answer).json(), { type: '/problems/request-timeout', report: { lines: 128, registered: 128, failed: 0 } })
})

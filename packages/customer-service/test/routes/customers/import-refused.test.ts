import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import t from 'tap'
import { buildOnce, PATH } from '../../helper.js'
import { exchange, request } from '../../socket.js'

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
    'Content-Length: 1000000000') + UNREADABLE + '1,charitha\n')
  const [answer] = await once(socket, 'data')
  let more = ''
  socket.on('data', bytes => { more += bytes })
  t.match(String(answer), /^HTTP\/1.1 400 /)
  socket.write(Buffer.alloc(2_000_000))
  await closed
  t.equal(more, '', 'at once, not by the request timeout')
})

t.test('a process reads eight files at once, and refuses more with a time to retry', async t => {
  const { http, everything } = await buildOnce(t)
  const headers = { authorization: `Bearer ${everything}`, 'content-type': 'text/csv' }
  const send = async (payload: Readable) => await http.inject({ method: 'POST', url: `${PATH}/import`, headers, payload })
  const files = Array.from({ length: 9 }, () => new Readable({ read () {} }))
  const answers = files.map(send)
  t.match(await Promise.race(answers), { statusCode: 503, headers: { 'retry-after': '2' } })
  for (const file of files) {
    file.push('number,name,age,address\n')
    file.push(null)
  }
  t.same((await Promise.all(answers)).map(({ statusCode }) => statusCode).sort(), [...Array(8).fill(200), 503])
  t.equal((await send(Readable.from([Buffer.from('number,name,age,address\n')]))).statusCode, 200)
})

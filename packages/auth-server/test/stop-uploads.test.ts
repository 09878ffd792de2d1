import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { sqliteFile } from './support/database.js'
import { exitCode, start } from './support/server-process.js'

t.test('SIGTERM while a form arrives slowly: an answer comes before the connection closes', async t => {
  const { child, port } = await start(t, { DATABASE_URL: sqliteFile(t) })
  const framings = [['Content-Length: 9000', 'a=b&'], ['Transfer-Encoding: chunked', '4\r\na=b&\r\n']] as const
  const answers = framings.map(async ([framing, part]) => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    let received = ''
    socket.on('data', data => { received += String(data) }).on('error', () => {})
    await once(socket, 'connect')
    socket.write(`POST /token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n${framing}\r\n\r\n`)
    const timer = setInterval(() => { if (socket.writable) socket.write(part) }, 100)
    await new Promise(resolve => socket.once('close', resolve))
    clearInterval(timer)
    return received
  })
  setTimeout(() => child.kill('SIGTERM'), 500)
  for (const received of await Promise.all(answers)) {
    t.match(received, /^HTTP\/1\.1 503 [^]*"temporarily_unavailable"/)
    t.match(received, /^connection: close\r$/im)
    t.match(received, /^retry-after: 2\r$/im)
  }
  t.equal(await exitCode(child), 0)
})

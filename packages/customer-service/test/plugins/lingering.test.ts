import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { PATH, buildOnce } from '../support/helper.js'
import { request } from '../support/socket.js'

const host = 'Host: localhost'
const LENGTH = 50_000_000

/** Writes a body until the connection is closed. */
function upload (socket: Socket): void {
  const part = Buffer.alloc(65_536, 'x')
  const timer = setInterval(() => { while (socket.writable && !socket.writableNeedDrain) socket.write(part) }, 5)
  socket.once('close', () => { clearInterval(timer) })
}

t.test('a client that still sends a body gets the whole refusal, and the connection ends', async t => {
  const { listen, everything } = await buildOnce(t)
  const port = await listen()
  const token = `Authorization: Bearer ${everything}`
  const table: Array<[name: string, head: string[], status: number]> = [
    ['an import of another type', [`POST ${PATH}/import HTTP/1.1`, host, token, 'Content-Type: text/plain', `Content-Length: ${LENGTH}`], 415],
    ['an import without a token', [`POST ${PATH}/import HTTP/1.1`, host, 'Content-Type: text/csv', `Content-Length: ${LENGTH}`], 401],
    ['an unreadable import', [`POST ${PATH}/import HTTP/1.1`, host, token, 'Content-Type: application/json', `Content-Length: ${LENGTH}`], 400],
    ['a form that is too long', [`POST ${PATH} HTTP/1.1`, host, token, 'Content-Type: application/x-www-form-urlencoded', `Content-Length: ${LENGTH}`], 413]
  ]
  await Promise.all(table.flatMap(([name, head, status]) => [[], ['Connection: close']].map(async more => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setEncoding('latin1').on('data', data => { received += data }).on('error', () => {})
    await once(socket, 'connect')
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.write(request(...head, ...more))
    // A client that does not read before it has written much.
    socket.pause()
    upload(socket)
    await setTimeout(200)
    socket.resume()
    await closed
    t.match(received, new RegExp(`^HTTP/1.1 ${status} [^]*\\}$`), `${name} ${more.join()}`)
  })))
})

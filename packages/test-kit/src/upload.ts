import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** `isClosed`: the server closed the connection within three seconds after its response. */
interface Uploaded { readonly received: string, readonly isClosed: boolean }

/**
 * Uploads 50 MB over its own connection, and keeps sending after the response, until the server closes the connection.
 * @param head lines of the request, without the body's length
 */
export async function upload (port: number, head: readonly string[], isChunked: boolean): Promise<Uploaded> {
  const part = Buffer.alloc(65_536, 'x')
  const framed = isChunked ? Buffer.concat([Buffer.from('10000\r\n'), part, Buffer.from('\r\n')]) : part
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let received = ''
  socket.on('data', data => { received += String(data) }).on('error', () => {})
  await once(socket, 'connect')
  const closed = new Promise<boolean>(resolve => { socket.once('close', () => { resolve(true) }) })
  const timer = setInterval(() => { while (socket.writable && !socket.writableNeedDrain) socket.write(framed) }, 5)
  socket.write([...head, isChunked ? 'Transfer-Encoding: chunked' : 'Content-Length: 50000000', '', ''].join('\r\n'))
  try {
    for (let waited = 0; !received.includes('\r\n\r\n') && socket.writable && waited < 100; waited++) await setTimeout(100)
    const isClosed = await Promise.race([closed, setTimeout(3_000, false)])
    return { received, isClosed }
  } finally {
    clearInterval(timer)
    socket.destroy()
  }
}

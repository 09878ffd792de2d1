import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends bytes over a connection of its own and gives everything that came back until it was closed. */
export async function exchange (port: number, text: string | Buffer, then?: (write: (more: string) => void) => void): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', data => { received += data }).on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  then?.(more => socket.write(more))
  await once(socket, 'close')
  return received
}

/** Writes a request; every line of `lines` is ended. */
export function request (...lines: string[]): string {
  return [...lines, '', ''].join('\r\n')
}

/** Status of an answer, and its body as JSON. */
export function read (answer: string): { status: number, head: string, problem: Record<string, unknown> } {
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2)
  return { status: Number(head.split(' ')[1]), head, problem: body.startsWith('{') ? JSON.parse(body) : {} }
}

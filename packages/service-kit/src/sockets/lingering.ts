import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long a connection that is closed waits for its client, in milliseconds. */
const LINGER_MS = 2_000

/** Rest of a refused body that is still read, in bytes: a client that is writing would not see the response otherwise. */
export const DRAIN_LIMIT = 1_048_576

/** Whether a response to this request ends its connection: the rest of the body is long, or its length is not known. */
export function hasLongRest ({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > DRAIN_LIMIT)
}

/**
 * Closes a connection gently if its last response comes before the whole request: closed with unread bytes, it would be
 * reset, and the client, which still writes, could lose the response (RFC 9112 §9.6).
 */
export function lingerOnClose (server: Server): void {
  const requests = new WeakMap<Socket, IncomingMessage>()
  server.on('request', (request: IncomingMessage) => { requests.set(request.socket, request) })
  server.on('connection', (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket)
    // Node.js calls it after the last response.
    socket.destroySoon = () => {
      if (requests.get(socket)?.complete !== false) return destroySoon()
      socket.end()
      const timer = setTimeout(() => { socket.destroy() }, LINGER_MS)
      socket.once('close', () => { clearTimeout(timer) })
    }
  })
}

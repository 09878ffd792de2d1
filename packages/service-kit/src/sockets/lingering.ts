import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long a closing connection waits for its client. */
const LINGER_MS = 2_000

/** Maximum rest of a rejected body to read, in bytes: otherwise, a client that is still writing would miss the response. */
export const DRAIN_LIMIT = 1_048_576

/** Whether to close the connection after the response: the rest of the body is long, or its length unknown. */
export function hasLongRest ({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > DRAIN_LIMIT)
}

/**
 * Closes a connection gracefully if its last response precedes the end of the request: with unread bytes, it would be reset, and
 * a client that is still writing could lose the response (RFC 9112 §9.6).
 */
export function lingerOnClose (server: Server): void {
  const requests = new WeakMap<Socket, IncomingMessage>()
  server.on('request', (request: IncomingMessage) => { requests.set(request.socket, request) })
  server.on('connection', (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket)
    // Node.js calls this after the last response.
    socket.destroySoon = () => {
      if (requests.get(socket)?.complete !== false) return destroySoon()
      socket.end()
      const timer = setTimeout(() => { socket.destroy() }, LINGER_MS)
      socket.once('close', () => { clearTimeout(timer) })
    }
  })
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Maximum open connections of a server, of about 20 KB each: less than 100 MB. */
export const MAX_CONNECTIONS = 4_096

/**
 * Limits a server's connections. A new one beyond the limit replaces the one that has been longest without a complete request,
 * else the longest idle one, else the first one whose client does not read its response. If there is none, the new one is closed.
 */
export function limitConnections (server: Server, max = MAX_CONNECTIONS): void {
  // Sets keep the order of insertion: the first socket has waited longest.
  const [silent, idle, answered] = [new Set<Socket>(), new Set<Socket>(), new Set<Socket>()]
  let open = 0

  function findReplaceable (): Socket | undefined {
    const [oldest] = silent.size > 0 ? silent : idle
    if (oldest !== undefined) return oldest
    const [first] = answered
    return first !== undefined && first.writableLength > 0 ? first : undefined
  }

  function forget (socket: Socket) {
    for (const state of [silent, idle, answered]) state.delete(socket)
  }

  server.on('connection', (socket: Socket) => {
    open++
    socket.once('close', () => {
      open--
      forget(socket)
    })
    if (open > max) {
      const replaced = findReplaceable() ?? socket
      // Now, because its close event may come a turn of the event loop later.
      forget(replaced)
      replaced.destroy()
    }
    if (!socket.destroyed) silent.add(socket)
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request
    if (socket.destroyed) return
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
    const onComplete = () => {
      if (!silent.delete(socket) && !idle.delete(socket)) return
      answered.add(socket)
    }
    if (hasBody) request.once('end', onComplete)
    else onComplete()
    response.once('close', () => {
      forget(socket)
      if (!socket.destroyed) idle.add(socket)
    })
  })
}

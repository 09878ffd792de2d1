import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Limit of open connections of a server, of about 20 KB each: a flood of them stays below 100 MB. */
export const MAX_CONNECTIONS = 4_096

/**
 * Limits the connections of a server. A new one beyond the limit replaces the one that has waited longest without a
 * complete request, else the one that has been idle longest, else the first one that does not read its response. If all
 * others are being answered, the new one is closed.
 */
export function limitConnections (server: Server, max = MAX_CONNECTIONS): void {
  // A Set keeps the order of insertion: its first socket has waited longest.
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
      // At once: its close event may come a turn of the event loop later.
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

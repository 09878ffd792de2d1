import type { FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

/**
 * Does work that can take longer than a connection may be idle: once the body has arrived, nothing is received or sent until it ends.
 * @param timeout how long a connection may be idle otherwise, in milliseconds
 */
export async function allowIdleTime<T> ({ raw }: FastifyRequest, timeout: number, work: () => Promise<T>): Promise<T> {
  const { socket } = raw
  // That of `inject()` is none.
  if (!(socket instanceof Socket)) return await work()
  const unlimit = () => { socket.setTimeout(0) }
  if (hasBody(raw)) raw.once('end', unlimit)
  else unlimit()
  return await work().finally(() => {
    raw.off('end', unlimit)
    socket.setTimeout(timeout)
  })
}

/** RFC 9112 §6.3 */
function hasBody ({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

import { once } from 'node:events'
import { createServer } from 'node:net'

/** Ports per process, reused in rotation. */
const PORTS = 20
let tried = 0

/**
 * Finds a free port below the ephemeral range, so that no outgoing connection takes it. Concurrent processes get different
 * ports, because a port may be used long after it was found.
 */
export async function freePort (): Promise<number> {
  for (;;) {
    const port = 20_000 + process.pid % 600 * PORTS + tried++ % PORTS
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
      return port
    } catch {
      // In use: try the next one.
    } finally {
      server.close()
    }
  }
}

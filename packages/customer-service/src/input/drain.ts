import type { ServerResponse, IncomingMessage } from 'node:http'
import { DRAIN_LIMIT } from '@frontdesk/service-kit/sockets/lingering'

/**
 * Discards the rest of a body after the response was sent, so that the connection can carry the next request. If the rest is
 * too long, closes the connection once the client could read the response.
 */
export function drainAfter (response: ServerResponse, body: IncomingMessage): void {
  response.once('finish', () => {
    let left = DRAIN_LIMIT
    body.on('data', ({ length }: Buffer) => {
      left -= length
      if (left >= 0) return
      body.pause()
      body.socket.destroySoon()
    })
  })
}

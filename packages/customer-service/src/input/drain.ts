import type { ServerResponse, IncomingMessage } from 'node:http'
import { DRAIN_LIMIT } from '@frontdesk/service-kit/sockets/lingering'

/**
 * Reads the rest of a body that was read in part, once its response has been sent: otherwise, the connection would not get to
 * the next request. A rest that is too long closes it, when the client has had time to read the response.
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

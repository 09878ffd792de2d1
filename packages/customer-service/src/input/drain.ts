import type { IncomingMessage, ServerResponse } from 'node:http'

/** Rest of a refused body that is still read, in bytes: a client that is writing would not see the response otherwise. */
export const DRAIN_LIMIT = 1_048_576

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

import { DRAIN_LIMIT } from '@frontdesk/service-kit/sockets/lingering'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { serviceOverloaded } from '../../problems/service.js'

/**
 * Passes on a body until the process stops: then the caller is answered, and not cut off.
 * @throws ProblemError `service-overloaded`
 */
export function untilStopped (body: AsyncIterable<Buffer>, signal: AbortSignal): AsyncIterable<Buffer> {
  return {
    [Symbol.asyncIterator]: () => {
      const chunks = body[Symbol.asyncIterator]()
      return {
        next: async () => await orStopped(chunks.next(), signal),
        return: async () => await chunks.return?.() ?? { done: true, value: undefined }
      }
    }
  }
}

async function orStopped<T> (work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {}
  const stopped = new Promise<never>((resolve, reject) => {
    stop = () => { reject(serviceOverloaded('This process is stopping. Send the file again: report has what was registered.')) }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
  })
  return await Promise.race([work, stopped]).finally(() => { signal.removeEventListener('abort', stop) })
}

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

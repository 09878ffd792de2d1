import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Limit of requests of one connection that are handled concurrently. One counts until its whole response has been handed to the system. */
export const MAX_HANDLED = 10

/** Limit of unanswered requests of one connection: one more closes it, and the client retries (RFC 9112 §9.3.2). */
export const MAX_UNANSWERED = 100

/** Limit of requests that wait for an earlier response, on all connections together, of about 3 KB each. */
const MAX_WAITING = 10_000

/** One connection: how many of its requests are being handled, and those that wait, oldest first. */
interface Pipeline { handled: number, readonly waiting: Array<[IncomingMessage, ServerResponse]> }

/**
 * Limits the memory that one connection can use by pipelining requests without reading the responses: Node.js would
 * parse and handle all of them at once.
 */
export function limitPipelining (server: Server): void {
  // as: listeners of this event take a request and its response.
  const listeners = server.listeners('request') as RequestListener[]
  const pipelines = new WeakMap<Socket, Pipeline>()
  let waiting = 0

  function open (socket: Socket): Pipeline {
    const pipeline: Pipeline = { handled: 0, waiting: [] }
    pipelines.set(socket, pipeline)
    socket.once('close', () => { waiting -= pipeline.waiting.splice(0).length })
    return pipeline
  }

  function start (pipeline: Pipeline, request: IncomingMessage, response: ServerResponse) {
    pipeline.handled++
    response.once('close', () => {
      pipeline.handled--
      const next = request.socket.destroyed ? undefined : pipeline.waiting.shift()
      if (next === undefined) return
      waiting--
      start(pipeline, ...next)
    })
    for (const listener of listeners) listener.call(server, request, response)
  }

  server.removeAllListeners('request').on('request', (request, response) => {
    const { socket } = request
    // Node.js continues to parse what arrived with the request that closed the connection.
    if (socket.destroyed) return
    const pipeline = pipelines.get(socket) ?? open(socket)
    if (pipeline.handled < MAX_HANDLED) return start(pipeline, request, response)
    if (pipeline.waiting.length === MAX_UNANSWERED - MAX_HANDLED || waiting === MAX_WAITING) {
      socket.destroy()
      return
    }
    waiting++
    pipeline.waiting.push([request, response])
  })
}

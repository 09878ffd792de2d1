import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Maximum concurrent requests of a connection. A request counts until its whole response was passed to the system. */
export const MAX_HANDLED = 10

/** Maximum unanswered requests of a connection: one more closes it, and the client retries (RFC 9112 §9.3.2). */
export const MAX_UNANSWERED = 100

/** Maximum waiting requests of all connections, of about 3 KB each. */
const MAX_WAITING = 10_000

/** A connection's number of concurrent requests, and its waiting ones, oldest first. */
interface Pipeline { handled: number, readonly waiting: Array<[IncomingMessage, ServerResponse]> }

/** Limits the memory of pipelined requests whose client does not read the responses: Node.js would handle all of them at once. */
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
    // Node.js still parses the rest of a packet after the connection was closed.
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

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that are handled at once. One counts until its whole answer has been handed to the system. */
export const MAX_HANDLED = 10

/** Requests of one connection without an answer: one more closes it, and the client retries (RFC 9112 §9.3.2). */
export const MAX_UNANSWERED = 100

/** Requests that wait for an answer before them, on all connections together: some 3 KB each. */
const MAX_WAITING = 10_000

/** One connection: how many of its requests are handled, and those that wait, oldest first. */
interface Pipeline { handled: number, readonly waiting: Array<[IncomingMessage, ServerResponse]> }

/**
 * Bounds what one connection can keep in memory by sending requests without reading the answers: Node parses whatever
 * has come, and would handle all of it at once.
 */
export function limitPipelining (server: Server): void {
  // as: what listens to requests takes a request and its answer.
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
    // Node goes on parsing what came with the request that closed the connection.
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

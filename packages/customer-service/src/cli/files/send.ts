import { once } from 'node:events'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'

const CONNECT_TIMEOUT_MS = 5_000
/** How long a request waits for `100 Continue` before it sends its body anyway: as long as curl. */
const CONTINUE_TIMEOUT_MS = 1_000
/** Idle time before the system sends TCP keep-alive probes. */
const KEEP_ALIVE_MS = 15_000
/** Time without progress of a body after which a connection counts as lost. */
const STALL_TIMEOUT_MS = 60_000

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly headers: Record<string, string>
  /** Read with backpressure, and not at all if the service rejects the headers. */
  readonly body?: AsyncIterable<Buffer>
  readonly signal: AbortSignal
  /** Called when the connection is established. */
  readonly onConnect: () => void
}

/**
 * Sends a request of any length in constant memory. An early response stops the body.
 * @throws an error of Node.js or of the body
 */
export async function send (url: URL, { method, headers, body, signal, onConnect }: HttpRequest): Promise<IncomingMessage> {
  const open: typeof http.request = url.protocol === 'https:' ? https.request : http.request
  const options = { method, signal, agent: false, headers: { ...headers, ...body === undefined ? {} : { Expect: '100-continue' } } }
  const request = open(url, options)
  request.setSocketKeepAlive(true, KEEP_ALIVE_MS)
  limitConnect(request, onConnect)
  const answered = once(request, 'response')
  if (body === undefined) request.end()
  else sendBody(request, Readable.from(body, { objectMode: false }))
  // as: the argument of the event.
  const [response] = await answered as [IncomingMessage]
  // The response emits the error, too.
  request.on('error', () => {})
  return response
}

function limitConnect (request: ClientRequest, onConnect: () => void) {
  const timer = setTimeout(() => request.destroy(timeoutError()), CONNECT_TIMEOUT_MS)
  request.once('close', () => clearTimeout(timer)).once('socket', socket => socket.once('connect', () => {
    clearTimeout(timer)
    onConnect()
  }))
}

function sendBody (request: ClientRequest, body: Readable) {
  const start = () => {
    clearTimeout(timer)
    request.off('continue', start)
    body.pipe(request)
  }
  const stop = () => {
    clearTimeout(timer)
    body.destroy()
  }
  const timer = setTimeout(start, CONTINUE_TIMEOUT_MS)
  body.once('error', error => request.destroy(error))
  request.once('continue', start).once('response', stop).once('close', stop)
  request.setTimeout(STALL_TIMEOUT_MS).on('timeout', () => {
    if (request.writableLength > 0) request.destroy(timeoutError())
  })
  request.flushHeaders()
}

function timeoutError () {
  return Object.assign(new Error('the other side does not answer'), { code: 'ETIMEDOUT' })
}

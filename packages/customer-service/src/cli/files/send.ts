import { once } from 'node:events'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'

/** How long a connection may take, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000
/** How long a request waits for `100 Continue` before it sends its body nevertheless, in milliseconds: as long as curl. */
const CONTINUE_TIMEOUT_MS = 1_000
/** How long a connection is silent before the system asks whether the other side is still there, in milliseconds. */
const KEEP_ALIVE_MS = 15_000
/** A connection is taken for lost if the other side takes nothing of a body for so long, in milliseconds. */
const STALL_TIMEOUT_MS = 60_000

/** A request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Record<string, string>
  /** Is read as fast as it is taken, and not at all if the request is refused by its header fields. */
  readonly body?: AsyncIterable<Buffer>
  readonly signal: AbortSignal
  /** Is called when there is a connection. */
  readonly onConnect: () => void
}

/**
 * Sends a request of any length in constant memory. A response that comes before the whole body ends the body.
 * @throws an error of Node.js, or that of the body
 */
export async function send (url: URL, { method, headers, body, signal, onConnect }: HttpRequest): Promise<IncomingMessage> {
  const request: typeof http.request = url.protocol === 'https:' ? https.request : http.request
  const options = { method, signal, agent: false, headers: { ...headers, ...body === undefined ? {} : { Expect: '100-continue' } } }
  const asked = request(url, options)
  asked.setSocketKeepAlive(true, KEEP_ALIVE_MS)
  limitConnect(asked, onConnect)
  const answered = once(asked, 'response')
  if (body === undefined) asked.end()
  else sendBody(asked, Readable.from(body, { objectMode: false }))
  // as: what the event passes on.
  const [response] = await answered as [IncomingMessage]
  // The response has the error, too.
  asked.on('error', () => {})
  return response
}

function limitConnect (asked: ClientRequest, onConnect: () => void) {
  const timer = setTimeout(() => asked.destroy(timeoutError()), CONNECT_TIMEOUT_MS)
  asked.once('close', () => clearTimeout(timer)).once('socket', socket => socket.once('connect', () => {
    clearTimeout(timer)
    onConnect()
  }))
}

function sendBody (asked: ClientRequest, body: Readable) {
  const start = () => {
    clearTimeout(timer)
    asked.off('continue', start)
    body.pipe(asked)
  }
  const stop = () => {
    clearTimeout(timer)
    body.destroy()
  }
  const timer = setTimeout(start, CONTINUE_TIMEOUT_MS)
  body.once('error', error => asked.destroy(error))
  asked.once('continue', start).once('response', stop).once('close', stop)
  asked.setTimeout(STALL_TIMEOUT_MS).on('timeout', () => {
    if (asked.writableLength > 0) asked.destroy(timeoutError())
  })
  asked.flushHeaders()
}

function timeoutError () {
  return Object.assign(new Error('the other side does not answer'), { code: 'ETIMEDOUT' })
}

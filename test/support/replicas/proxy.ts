import { once } from 'node:events'
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'

/** How often a replica is asked whether it is ready, in milliseconds. */
const INTERVAL = 200

/** What a message says of the connection that it came over (RFC 9110 §7.6.1); it is not for the next one. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/**
 * A reverse proxy as installations have one: takes turns among the replicas that are ready, and tries the next where one
 * cannot be reached.
 */
export async function startProxy (t: Pick<Test, 'teardown'>, port: number, replicas: readonly number[]): Promise<void> {
  const ready = new Set<number>()
  const server = createServer((incoming, outgoing) => { pass(incoming, outgoing, turns(ready)) })
  // Only clients end idle connections: if both may, a request can meet the end of its connection.
  server.keepAliveTimeout = 0
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const stop = new AbortController()
  const watching = Promise.all(replicas.map(replica => watch(replica, ready, stop.signal)))
  t.teardown(async () => {
    stop.abort()
    server.closeAllConnections()
    server.close()
    await watching
  })
}

async function watch (replica: number, ready: Set<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const answers = await fetch(`http://127.0.0.1:${replica}/health/ready`, { signal }).then(({ ok }) => ok, () => false)
    // While no database answers, no replica is ready: then each reports it.
    ready[answers ? 'add' : 'delete'](replica)
    await setTimeout(INTERVAL, undefined, { signal }).catch(() => {})
  }
}

/** Each ready replica once, beginning with the one that waited longest. */
function turns (ready: Set<number>): number[] {
  const order = [...ready]
  const [first] = order
  if (first !== undefined) {
    ready.delete(first)
    ready.add(first)
  }
  return order
}

function pass (incoming: IncomingMessage, outgoing: ServerResponse, replicas: number[]): void {
  const body: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => body.push(chunk))
  incoming.on('end', () => { attempt(incoming, Buffer.concat(body), outgoing, replicas) })
}

function attempt (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse, [replica, ...others]: number[]): void {
  if (replica === undefined) {
    outgoing.writeHead(503, { 'retry-after': '1' }).end('no replica is ready')
    return
  }
  const headers = { ...endToEnd(incoming.headers), 'x-forwarded-for': incoming.socket.remoteAddress }
  const upstream = request({ host: '127.0.0.1', port: replica, method: incoming.method, path: incoming.url, headers, agent: false })
  let connected = false
  upstream.on('socket', socket => socket.on('connect', () => { connected = true }))
  upstream.on('response', answer => {
    outgoing.writeHead(answer.statusCode!, endToEnd(answer.headers))
    answer.pipe(outgoing)
  })
  upstream.on('error', () => {
    // What may have been read by a replica is not sent again.
    if (!connected) attempt(incoming, body, outgoing, others)
    else outgoing.destroy()
  })
  upstream.end(body)
}

function endToEnd (headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)))
}

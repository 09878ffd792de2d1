import { once } from 'node:events'
import { createServer, request as send, type IncomingMessage } from 'node:http'
import type { Test } from 'tap'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Api } from './document.js'
import { differences } from './exchange.js'

/** Most of a body that is checked, in bytes. */
const MAX_BODY = 4_000_000

const DECODERS: Record<string, (body: Buffer) => Buffer> = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }

/** A proxy that compares what passes with an OpenAPI document. */
export interface CheckingProxy {
  /** Each difference once. */
  findings: () => string[]
  /** How many exchanges it has compared. */
  compared: () => number
  /** Waits until everything that has passed is compared. */
  settled: () => Promise<unknown>
}

/**
 * Starts it, until the test ends. Bodies pass as they come.
 * @param port where it listens @param target `http:` address of the service
 * @param read reads the document, before the first exchange is compared
 * @param isOutside whether a path is no part of the API, such as a page's styles
 */
export async function startCheckingProxy (
  t: Test, port: number, target: string, read: () => Promise<Api>, isOutside: (path: string) => boolean = () => false
): Promise<CheckingProxy> {
  const found = new Set<string>()
  let count = 0
  let document: Promise<Api> | undefined
  const underway = new Set<Promise<void>>()
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming
    const outbound = send(`${target}${url}`, { method, headers })
    const body = collect(incoming)
    incoming.pipe(outbound)
    outgoing.on('close', () => outbound.destroy())
    outbound.on('error', () => outgoing.destroy())
    outbound.on('response', response => {
      const answer = collect(response)
      outgoing.writeHead(response.statusCode!, response.rawHeaders)
      response.pipe(outgoing)
      if (isOutside(url.split('?')[0]!)) return
      const compared = Promise.all([document ??= read(), body, answer]).then(([api, sent, answered]) => {
        count++
        const coded = response.headers['content-encoding']
        const decode = coded === undefined ? undefined : DECODERS[coded]
        const text = answered === undefined ? undefined : (decode?.(answered) ?? answered).toString()
        const exchange = { method, url, headers, body: sent?.toString() ?? '', status: response.statusCode!, answered: response.headers, answer: text }
        for (const sentence of differences(api, exchange)) found.add(sentence)
      }).catch((error: unknown) => { found.add(`${method} ${url}: ${error instanceof Error ? error.message : error}`) })
        .finally(() => underway.delete(compared))
      underway.add(compared)
    })
  })
  server.listen(port, 'localhost')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return { findings: () => [...found].sort(), compared: () => count, settled: () => Promise.all(underway) }
}

/** The whole body; `undefined` if it is too long or breaks off. */
async function collect (message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  message.on('data', (chunk: Buffer) => { if ((length += chunk.length) <= MAX_BODY) chunks.push(chunk) })
  await new Promise(resolve => message.once('close', resolve))
  return message.complete && length <= MAX_BODY ? Buffer.concat(chunks) : undefined
}

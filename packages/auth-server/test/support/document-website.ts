import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { CALLBACK } from './helper.js'

/** A website with documents; counts the requests by path. */
export async function website (t: Test) {
  const asked: string[] = []
  const pages = new Map<string, (response: ServerResponse, id: string) => unknown>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const page = pages.get(path.split('?')[0]!)
    if (page === undefined) response.writeHead(404).end()
    else page(response, `${origin}${path}`)
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise(resolve => server.once('listening', resolve))
  // as: it listens on a port.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const put = (path: string, changes: object = {}, headers: Record<string, string> = {}) => {
    pages.set(path, (response, id) => response.writeHead(200, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ client_id: id, client_name: 'Notes', redirect_uris: [CALLBACK], ...changes })))
    return `${origin}${path}`
  }
  return { origin, pages, asked, put }
}

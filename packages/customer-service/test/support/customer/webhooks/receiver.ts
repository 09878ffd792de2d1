import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Test } from 'tap'

export const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`

/** A receiver of webhooks on loopback, which accepts signed events only. */
export async function startReceiver (t: Test) {
  const state = {
    /** What it answers next; then 204. */
    statuses: [] as number[],
    /** What each answer has, too. */
    headers: {} as Record<string, string>,
    /** Position and message id of each accepted request. */
    accepted: [] as Array<{ id: string, subject: string, message: string }>,
    requests: 0,
    wrong: [] as unknown[]
  }
  const server = createServer((request, response) => {
    state.requests++
    buffer(request).then(body => {
      const status = state.statuses.shift() ?? 204
      // as: it throws unless these are what it expects.
      const { id, subject } = new Webhook(SECRET).verify(body, request.headers as Record<string, string>) as { id: string, subject: string }
      if (status < 300) state.accepted.push({ id, subject, message: `${request.headers['webhook-id']}` })
      response.writeHead(status, { location: '/elsewhere', ...state.headers }).end()
    }).catch(error => { state.wrong.push(error) })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close(); server.closeAllConnections() })
  // as: a server that listens on a port has such an address.
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

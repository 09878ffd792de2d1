import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { root } from '../stack.js'
import type { Consumer, Received } from './consumers.js'

/** Receives the events of a webhook, which it adds to customer-service. Refuses those that are not signed, and now and then others. */
export async function receiveWebhook (databaseUrl: string): Promise<Consumer> {
  const events: Received[] = []
  let secret = ''
  const server = createServer((request, response) => {
    buffer(request).then(body => {
      if (Math.random() < 0.005) return response.writeHead(503).end()
      // as: it throws unless the headers are there, and the service sends such events.
      events.push(new Webhook(secret).verify(body, request.headers as Record<string, string>) as Received)
      return response.writeHead(204).end()
    }).catch(() => request.socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // as: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  const command = join(root, 'packages/customer-service/bin/frontdesk-customer.js')
  const { stdout } = await promisify(execFile)(process.execPath, [command, 'webhook', 'add', `http://127.0.0.1:${port}/`, '--after', 'oldest'], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, AUTH: 'none' }
  })
  secret = /whsec_\S+/.exec(stdout)![0]
  return {
    name: 'webhook',
    events,
    async stop () {
      server.close()
      server.closeAllConnections()
    }
  }
}

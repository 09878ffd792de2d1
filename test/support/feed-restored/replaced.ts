import pg from 'pg'
import Sqlite from 'better-sqlite3'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'

/** Many: PostgreSQL starts slowly on a busy machine. */
const MAX_TRIES = 3_000

/** Repeats what fails while a database is replaced. */
export async function retry<R> (work: () => Promise<R>): Promise<R> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === MAX_TRIES) throw error
      await setTimeout(20)
    }
  }
}

/** A receiver of a webhook, and what it got. */
export async function receive (t: Test) {
  const events: Array<{ message: string, subject: string }> = []
  const server = createServer((request, response) => {
    buffer(request).then(body => {
      events.push({ message: `${request.headers['webhook-id']}`, subject: JSON.parse(`${body}`).subject })
      response.writeHead(204).end()
    }).catch(() => request.socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  // as: a server that listens on a port has such an address.
  return { events, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

/** Runs statements on a PostgreSQL server. */
export async function ask (url: string, ...statements: string[]) {
  const client = new pg.Client(url)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** Copies an SQLite file in use, as `db backup` does. */
export async function copyInUse (file: string, copy: string) {
  const database = new Sqlite(file)
  await database.backup(copy)
  database.close()
}

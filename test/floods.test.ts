import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { startStack, type Name } from './support/stack.js'

const stack = await startStack(t, ['auth-server', 'customer-service'])

/** The largest documents that need no token. */
const documents: Array<[service: Name, path: string]> = [
  ['auth-server', '/openapi.json'],
  ['auth-server', '/assets/style.css'],
  ['customer-service', '/openapi.json'],
  ['customer-service', '/docs'],
  ['customer-service', '/docs/static/swagger-ui-bundle.js']
]

/** Resident memory, in megabytes, now and at its highest. */
function memory (name: Name) {
  const status = readFileSync(`/proc/${stack.pid(name)}/status`, 'utf8')
  const read = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024)
  return { now: read('VmRSS'), peak: read('VmHWM') }
}

/** Connects, and reads nothing. */
async function open (name: Name): Promise<Socket> {
  const socket = connect(Number(new URL(stack.address(name)).port), '127.0.0.1').on('error', () => {}).pause()
  await once(socket, 'connect')
  return socket
}

/** Gives the status; asks again, as callers do, while the service has too much to do: how soon that ends depends on the machine. */
async function ask (url: string): Promise<number> {
  const { status, headers } = await fetch(url)
  if (status !== 503) return status
  await setTimeout(1_000 * Number(headers.get('retry-after')))
  return await ask(url)
}

for (const [name, path] of documents) {
  await t.test(
    `50 connections that send 1 MB of requests for ${path} of ${name} and read nothing are closed; others are served, in less than 400 MB`,
    async t => {
      const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
      const sockets = await Promise.all(Array.from({ length: 50 }, () => open(name)))
      const closed = Promise.all(sockets.map(socket => new Promise(resolve => socket.once('close', resolve))))
      for (const socket of sockets) socket.write(request.repeat(20_000 / request.length))
      for (let i = 0; i < 10; i++) {
        t.equal(await ask(`${stack.address(name)}${path}`), 200, 'an honest caller is served')
        await setTimeout(50)
      }
      // A socket without a reader notices its end on the next write.
      const nudge = setInterval(() => sockets.forEach(socket => socket.write(' ')), 250)
      await closed
      clearInterval(nudge)
      t.comment(memory(name))
      t.ok(memory(name).peak < 400, `${memory(name).peak} MB`)
    }
  )
}

await t.test('ten requests at a time over one connection are answered, in order, for as long as the client reads', async t => {
  for (const name of ['auth-server', 'customer-service'] as const) {
    const socket = connect(Number(new URL(stack.address(name)).port), '127.0.0.1').setEncoding('utf8')
    let received = ''
    socket.on('data', text => { received += text })
    for (let round = 1; round <= 30; round++) {
      const ids = Array.from({ length: 10 }, (_, i) => `${round}-${i}`)
      socket.write(ids.map(id => `GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${id}\r\n\r\n`).join(''))
      while ((received.match(/HTTP\/1\.1 200/g) ?? []).length < 10) await once(socket, 'data')
      t.same([...received.matchAll(/x-request-id: (\S+)/gi)].map(([, id]) => id), ids)
      received = ''
    }
    socket.destroy()
  }
})

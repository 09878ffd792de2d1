import Sqlite from 'better-sqlite3'
import { copyFileSync, readdirSync } from 'node:fs'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { temporaryFolder } from '@frontdesk/test-kit/database'
import { PATH } from '../support/helper.js'
import { start } from '../support/process/server-process.js'

t.test('SIGTERM under load: readiness 503 at once, requests in flight finish, no resets, exit 0 within 10 s', async t => {
  const { url, child, exit } = await start(t, { DATABASE_URL: `file:${temporaryFolder(t)}/customers.db` })
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  t.teardown(() => agent.destroy())
  const answers: Array<{ status: number, connection: string | undefined, at: number }> = []
  const errors: string[] = []
  let id = 1

  async function get (method: string, path: string, body?: string): Promise<IncomingMessage> {
    const headers = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
    const message = request({ hostname, port, agent, method, path, headers }).end(body)
    // as: that is what the event `response` carries.
    const [response] = await once(message, 'response') as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    answers.push({ status: response.statusCode ?? 0, connection: response.headers.connection, at: Date.now() })
    return response
  }

  async function load () {
    for (;;) {
      try {
        const form = `customerid=${id++}&customername=a&customerage=1&customeraddress=b`
        await (id % 2 === 0 ? get('POST', PATH, form) : get('GET', '/health/live'))
      } catch (error) {
        // as: Node's network errors have a code.
        errors.push(String((error as { code?: string }).code))
        return
      }
    }
  }

  // Connections that nothing is asked on: they must hold nothing up.
  const idle = connect(Number(port), hostname)
  idle.on('error', () => {})
  const slow = request({
    hostname,
    port,
    method: 'POST',
    path: PATH,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '71' }
  })
  slow.write('customerid=2000000000&customername=slow&customerage=1&')
  const slowAnswer = once(slow, 'response')
  const loads = Array.from({ length: 8 }, load)
  await setTimeout(400)

  const stopped = Date.now()
  child.kill('SIGTERM')
  let ready
  do ready = await fetch(`${url}/health/ready`)
  while (ready.status === 200 && Date.now() - stopped < 400)
  t.equal(ready.status, 503, 'readiness')
  const draining = Date.now()
  t.match(await ready.json(), { status: 'unavailable', checks: { database: 'ok', process: 'is stopping' } })
  await setTimeout(1_000)
  slow.end('customeraddress=x')
  const [answer] = await slowAnswer as [IncomingMessage]
  t.match([answer.statusCode, answer.headers.connection], [201, 'close'], 'a request that was half sent is finished')

  t.same(await exit, [0, null])
  const seconds = (Date.now() - stopped) / 1_000
  t.ok(seconds < 5, `${seconds} s, though a connection is open that nothing is asked on`)
  await Promise.all(loads)
  t.same(errors.filter(code => code !== 'ECONNREFUSED'), [], 'no resets')
  t.ok(answers.length > 10, `${answers.length} answers`)
  t.ok(answers.every(({ status }) => [200, 201].includes(status)))
  t.ok(
    answers.filter(({ at }) => at > draining + 100).every(({ connection }) => connection === 'close'),
    'every answer closes its connection'
  )
})

t.test('after SIGTERM the file alone is the whole database: no -wal is left, and a copy has every row', async t => {
  for (const reader of [false, true]) {
    const folder = temporaryFolder(t)
    const { url, child, exit } = await start(t, { DATABASE_URL: `file:${folder}/customers.db` })
    for (const id of [1, 2, 3]) {
      const body = new URLSearchParams({ customerid: String(id), customername: 'a', customerage: '1', customeraddress: 'b' })
      t.equal((await fetch(url + PATH, { method: 'POST', body })).status, 201)
    }
    // While another process has the file open, SQLite leaves -wal where it is.
    const other = reader ? new Sqlite(`${folder}/customers.db`, { readonly: true }) : undefined
    other?.prepare('SELECT COUNT(*) FROM customer').get()
    child.kill('SIGTERM')
    t.same(await exit, [0, null])
    copyFileSync(`${folder}/customers.db`, `${folder}/copy.db`)
    other?.close()
    const copy = new Sqlite(`${folder}/copy.db`)
    t.same(copy.prepare('SELECT id FROM customer ORDER BY id').pluck().all(), [1, 2, 3])
    copy.close()
    if (!reader) t.same(readdirSync(folder).filter(name => name.startsWith('customers.db')), ['customers.db'])
  }
})

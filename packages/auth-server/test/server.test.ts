import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { temporaryDatabase } from './database.js'
import { client, query } from './helper.js'
import { openStores } from '../src/stores/prisma/open.js'

const SERVER = fileURLToPath(new URL('../src/server.js', import.meta.url))

/** Starts the real process; resolves when it listens or has ended. */
async function start (t: Test, env: Record<string, string>) {
  const child = spawn(process.execPath, [SERVER], { env: { PATH: process.env.PATH, PORT: '0', ...env } as NodeJS.ProcessEnv })
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', data => { output += data })
  child.stderr.on('data', data => { output += data })
  while (!output.includes('listening at') && child.exitCode === null) await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  const port = Number(/listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1])
  return { child, port, address: `http://127.0.0.1:${port}`, output: () => output }
}

async function exitCode (child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit')
  return child.exitCode
}

/** Sends bytes; gives all that comes back. */
async function raw (port: number, bytes: string, end = true): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  let received = ''
  socket.on('data', data => { received += data }).on('error', () => {})
  socket.write(bytes)
  if (end) socket.end()
  await once(socket, 'close')
  return received
}

t.test('what stops the boot is one sentence that says what to set, and exit code 1', async t => {
  const DATABASE_URL = await temporaryDatabase(t)
  const production = { ENVIRONMENT: 'production', ISSUER: 'https://id.example', DEFAULT_AUDIENCE: 'https://api.example', SECRET_KEY: 'abcdefghijklmnopqrstuvwxyz0123456789', DATABASE_URL }
  const development = await start(t, { DATABASE_URL, DEMO_CALLBACK: 'http://localhost:3002/callback', SECRET_KEY: production.SECRET_KEY })
  const rows: Array<[name: string, env: Record<string, string>, sentence: RegExp]> = [
    ['missing secret', { ...production, SECRET_KEY: '' }, /^SECRET_KEY is missing\./],
    ['demo accounts', production, /This database has demo accounts.* frontdesk-auth client remove demo-app && frontdesk-auth user disable demo/],
    ['a taken port', { DATABASE_URL, SECRET_KEY: production.SECRET_KEY, PORT: String(development.port) }, /^PORT \d+ is taken\./m],
    ['another secret', { DATABASE_URL, SECRET_KEY: 'another-0123456789-another-0123456789' }, /SECRET_KEY is not the one/],
    ['a database that cannot be opened', { DATABASE_URL: 'file:/dev/null/x.db' }, /^auth-server cannot start\. /]
  ]
  for (const [name, env, sentence] of rows) {
    const { child, output } = await start(t, env)
    t.equal(await exitCode(child), 1, name)
    t.match(output(), sentence, name)
    t.notMatch(output(), / {4}at /, 'no stack')
  }
  const stores = await openStores(DATABASE_URL)
  await stores.clients.remove('demo-app')
  await stores.users.setDisabled('demo', new Date())
  await stores.close()
  t.ok((await start(t, production)).port, 'once they are gone, it starts')
})

t.test('four replicas started together on an empty database migrate it once and make one key', async t => {
  const DATABASE_URL = await temporaryDatabase(t)
  const replicas = await Promise.all(Array.from({ length: 4 }, () => start(t, { DATABASE_URL, DEMO_CALLBACK: 'http://localhost:3002/callback' })))
  const sets = await Promise.all(replicas.map(async ({ address }) => await (await fetch(`${address}/.well-known/jwks.json`)).text()))
  t.equal(new Set(sets).size, 1)
  for (const { address } of replicas) t.equal((await fetch(`${address}/consent?${query({ client_id: 'demo-app', redirect_uri: undefined })}`)).status, 200)
})

t.test('SIGTERM under load: readiness 503 at once, every request answered, exit 0', async t => {
  const DATABASE_URL = await temporaryDatabase(t)
  const stores = await openStores(DATABASE_URL)
  await stores.clients.put(client())
  await stores.close()
  const { child, address, port } = await start(t, { DATABASE_URL })
  const idle = connect(port, '127.0.0.1')
  t.teardown(() => idle.destroy())
  await once(idle, 'connect')

  // Callers that go elsewhere once readiness is 503, as load balancers do.
  let leaving = false
  const statuses: number[] = []
  const caller = async () => {
    for (;;) {
      const response = await fetch(`${address}/consent?${query()}`)
      await response.text()
      statuses.push(response.status)
      if (leaving) return
    }
  }
  const callers = Array.from({ length: 8 }, caller)
  await new Promise(resolve => setTimeout(resolve, 300))
  const asked = Date.now()
  child.kill('SIGTERM')
  while ((await fetch(`${address}/health/ready`)).status !== 503) t.ok(Date.now() - asked < 500, 'readiness is 503 at once')
  await new Promise(resolve => setTimeout(resolve, 200))
  leaving = true
  await Promise.all(callers)
  t.ok(statuses.length >= 8 && statuses.every(status => status === 200), `${statuses.length} answered`)
  t.equal(await exitCode(child), 0)
  t.ok(Date.now() - asked < 10_000)
})

t.test('malformed HTTP is refused and closed; slow senders are cut off while others are served', async t => {
  const { port, address, output } = await start(t, { DATABASE_URL: await temporaryDatabase(t), LOG_LEVEL: 'trace' })
  const rows: Array<[name: string, bytes: string, status: RegExp]> = [
    ['no Host', 'GET /health/live HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400/],
    ['two lengths', 'POST /consent HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', /^HTTP\/1\.1 400/],
    ['length with transfer encoding', 'POST /consent HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', /^HTTP\/1\.1 400/],
    ['headers over 16 KiB', `GET /health/live HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, /^HTTP\/1\.1 431/],
    ['not HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400/],
    ['two hosts', 'GET /health/live HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 400/],
    ['a broken escape in the path', 'GET /authorize%?state=secret HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 400 [^]*The address of this page is damaged/],
    ['a method nobody knows', 'FOO /authorize?state=secret HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 405 [^]*allow: GET, HEAD/],
    ['a space before the colon', 'POST /consent?state=secret HTTP/1.1\r\nHost: x\r\nCookie: a=secret\r\nContent-Length : 4\r\n\r\nx=secret', /^HTTP\/1\.1 400 [^]*Reference/]
  ]
  for (const [name, bytes, status] of rows) t.match(await raw(port, bytes, false), status, name)
  t.notMatch(output(), /secret|rawPacket/, 'what was sent is not logged, not even at trace')

  const slow = [
    raw(port, 'GET /health/live HTTP/1.1\r\nHost: x\r\nX: ', false),
    raw(port, 'POST /consent HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na=', false)
  ]
  const begun = Date.now()
  while (Date.now() - begun < 2_000) t.equal((await fetch(`${address}/health/live`)).status, 200)
  await Promise.all(slow)
  t.ok(Date.now() - begun < 15_000, 'closed by timeouts')
})

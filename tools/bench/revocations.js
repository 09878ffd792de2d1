import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads'
import { setTimeout as wait } from 'node:timers/promises'
import { Revocations } from '../../packages/customer-service/dist/src/revocations/revocations.js'
import { readFlags } from './flags.js'
import { digits, table } from './report/table.js'

/** Entries of a page, as in auth-server. */
const PAGE = 500

if (isMainThread) await measure()
else await serve()

/** `node --expose-gc tools/bench/revocations.js`: how customer-service reads a revocation feed of so many entries after a start. */
async function measure () {
  const { entries } = readFlags({ entries: [250_000, 4_000_000, 5_000_000] })
  const rows = []
  for (const count of entries.map(Number)) {
    const server = new Worker(new URL(import.meta.url), { workerData: { count } })
    const [{ url, id }] = await once(server, 'message')
    rows.push([count.toLocaleString('en-US'), ...await read(url, id)])
    await server.terminate()
  }
  console.log(table('the revocation feed after a start',
    ['entries', 'known', 'first answer s', 'all s', 'MB', 'loop delay p99 ms', 'longest ms', 'check µs'], rows))
}

async function read (url, id) {
  globalThis.gc?.()
  const before = memory()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const revocations = new Revocations({ url, maxAge: 600, log: { info () {}, warn () {} } })
  delay.enable()
  const begun = performance.now()
  await revocations.start()
  const first = performance.now() - begun
  while (/still/.test(revocations.fault ?? '')) await wait(50)
  const all = performance.now() - begun
  delay.disable()
  globalThis.gc?.()
  const grown = memory() - before
  const now = Math.floor(Date.now() / 1_000)
  const claims = { sub: 'a', client_id: 'b', jti: 'c', iat: now, exp: now + 600 }
  const made = revocations.fingerprints(claims)
  const checked = performance.now()
  for (let i = 0; i < 100_000; i++) revocations.check(claims, made)
  const check = (performance.now() - checked) / 100
  let isRefused = false
  try {
    revocations.check({ ...claims, iat: 0 }, revocations.fingerprints({ ...claims, jti: id }))
  } catch { isRefused = true }
  if (!isRefused) throw new Error('the last entry of the feed is not known')
  revocations.stop()
  return [
    revocations.entries.toLocaleString('en-US'),
    ...[first / 1_000, all / 1_000, grown / 1e6, delay.percentile(99) / 1e6 - 1, delay.max / 1e6, check].map(digits)
  ]
}

function memory () {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Serves the feed in its own thread: one entry for each millisecond until now. */
async function serve () {
  const { count } = workerData
  const last = randomUUID()
  const begin = Date.now() - count
  const server = createServer((request, response) => {
    const after = Number(new URL(request.url, 'http://localhost').searchParams.get('after') ?? 0)
    const from = Math.max(0, after - begin)
    const to = Math.min(count, from + PAGE)
    const now = Math.floor(Date.now() / 1_000)
    const revoked = []
    for (let index = from; index < to; index++) {
      const at = Math.floor((begin + index) / 1_000)
      // Random ids would take most of the time.
      const id = index === count - 1 ? last : `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
      revoked.push({ id, at, ends: at + 90_000 })
    }
    response.end(JSON.stringify({ revoked, next: `${begin + to}`, more: to < count, now }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  parentPort.postMessage({ url: `http://127.0.0.1:${server.address().port}/revocations`, id: last })
}

import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { fetchJson } from '@frontdesk/service-kit/outgoing/fetch-json'
import { fetchJwks } from '../../src/keys/keys.js'
import { fetchRevocations } from '../../src/revocations/feed-reader.js'
import { Revocations } from '../../src/revocations/revocations.js'

/** A server that answers as it likes. */
async function serve (t: Test, answer: (response: ServerResponse, url: string) => void): Promise<string> {
  const server = createServer((request, response) => answer(response, request.url ?? ''))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close(); server.closeAllConnections() })
  // as: a server that listens on a port has such an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const forever = (response: ServerResponse, chunk: string | Buffer, ms = 0) => {
  const timer = setInterval(() => response.write(chunk), ms)
  response.on('close', () => clearInterval(timer))
}

const lies: Array<[name: string, code: string, seconds: number, answer: (response: ServerResponse) => void]> = [
  ['a body without an end', 'too large', 4, response => forever(response, 'x'.repeat(65_536))],
  ['an error without an end', 'too large', 4, response => forever(response.writeHead(500), 'x'.repeat(65_536))],
  [
    '64 MB in 64 KB of gzip',
    'too large',
    4,
    response => response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(64 * 1024 * 1024)))
  ],
  ['a body that drips', 'timeout', 7, response => forever(response, ' ', 100)],
  ['a head that never comes', 'timeout', 7, () => {}],
  [
    'hints that never end',
    'timeout',
    7,
    response => {
      const timer = setInterval(() => response.writeProcessing(), 50)
      response.on('close', () => clearInterval(timer))
    }
  ],
  [
    'a redirect with a body without an end',
    'redirect',
    4,
    response => forever(response.writeHead(302, { location: '/' }), 'x'.repeat(65_536))
  ],
  [
    'a thousand codings',
    'other',
    4,
    response => response.setHeader('content-encoding', Array(1_000).fill('gzip').join(', ')).end(gzipSync('{}'))
  ]
]

await Promise.all(lies.map(async ([name, code, seconds, answer]) => t.test(`${name} is given up`, async t => {
  const url = await serve(t, answer)
  const begun = performance.now()
  await t.rejects(fetchJson(url), { code })
  t.ok(performance.now() - begun < seconds * 1_000, `after ${Math.round(performance.now() - begun)} ms`)
})))

t.test('a key set of thousands of keys is none', async t => {
  const key = { kty: 'EC' }
  for (const [count, isTaken] of [[100, true], [101, false]] as const) {
    const url = await serve(t, response => response.end(JSON.stringify({ keys: Array(count).fill(key) })))
    if (isTaken) t.equal((await fetchJwks(url)).jwks.keys.length, count)
    else await t.rejects(fetchJwks(url), { code: 'no keys' })
  }
})

t.test('a list of revocations with impossible ids, cursors or times is none', async t => {
  const good = { revoked: [{ id: 'a', ends: 1, before: 1, at: 1 }], next: '1', more: false, now: 1 }
  const lists = [
    { ...good, next: '1'.repeat(201) },
    { ...good, now: 1e300 },
    { ...good, now: 0.5 },
    ...[{ id: 'x'.repeat(201) }, { ends: 1e300 }, { before: 1e300 }, { at: 1e300 }, { at: '1' }, { ends: null }, { id: 1 }].map(change => ({
      ...good,
      revoked: [{ ...good.revoked[0], ...change }]
    }))
  ]
  let list: unknown = good
  const url = await serve(t, response => response.end(JSON.stringify(list)))
  t.same(await fetchRevocations(url, ''), good)
  for (list of lists) await t.rejects(fetchRevocations(url, ''), { code: 'no revocations' }, JSON.stringify(list).slice(0, 60))
})

t.test('an honest list of 250,001 revocations is read in full', async t => {
  const [count, end] = [250_001, Math.floor(Date.now() / 1_000) + 86_400]
  const url = await serve(t, (response, address) => {
    const after = Number(new URL(address, 'http://localhost').searchParams.get('after') ?? 0)
    const revoked = Array.from({ length: Math.min(500, count - after) }, (_, i) => ({ id: `${after + i}`.padStart(43, 'x'), ends: end }))
    response.end(JSON.stringify({ revoked, next: `${after + 500}`, more: after + 500 < count, now: Math.floor(Date.now() / 1_000) }))
  })
  const revocations = new Revocations({ url, maxAge: 60, log: { info () {}, warn () {} } })
  t.teardown(() => revocations.stop())
  do await revocations.refresh()
  while (revocations.fault !== null)
  t.equal(revocations.entries, count)
  const check = (jti: string) => {
    const claims = { iss: 'i', sub: 's', aud: 'a', client_id: 'c', scope: '', iat: 1, exp: end, jti }
    revocations.check(claims, revocations.fingerprints(claims))
  }
  for (const id of [0, 125_000, 250_000]) {
    t.throws(() => check(`${id}`.padStart(43, 'x')), { message: 'Access was revoked. Sign in again.' }, `${id}`)
  }
  t.doesNotThrow(() => check('another'))
})

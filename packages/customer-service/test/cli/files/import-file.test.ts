import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { importFile, type Attempts } from '../../../src/cli/files/import-file.js'
import { Progress } from '@frontdesk/service-kit/cli/progress'
import type { Service } from '../../../src/cli/files/service.js'
import { contentKey, openSource, type Source } from '@frontdesk/service-kit/cli/source'
import { buildOnce, PATH } from '../../support/helper.js'
import { nowhere, standIn } from '../../support/cli/frontdesk-customer.js'

const HEADER = 'customerid,customername,customerage,customeraddress\n'
const rows = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1},name,33,street\n`).join('')
/** Bytes of the request that pass before its connection breaks: more than 128 rows, fewer than 300. */
const PASSED = 4_000
const IMPORT = { type: 'text/csv', query: '', key: 'k' }
const REPORT = { lines: 0, registered: 0, updated: 0, unchanged: 0, failed: 0, errors: [], hasMoreErrors: false, dryRun: false }

async function fileOf (t: Test, text: string): Promise<Source> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'file'), text)
  const source = await openSource(join(folder, 'file'))
  t.teardown(() => source.close())
  return source
}

/** What attempts need, and what they did: what they printed, and how long they would have waited, in seconds. */
async function record (onWait: () => Promise<void> = async () => {}) {
  const [lines, waits]: [string[], number[]] = [[], []]
  // as: the only use of it.
  const wait = (async (ms: number) => {
    waits.push(ms / 1_000)
    await onWait()
  }) as NonNullable<Attempts['wait']>
  const print = (line: string) => { lines.push(line) }
  return { lines, waits, signal: new AbortController().signal, progress: await Progress.open(false), print, wait }
}

const serviceAt = (url: string, token: string | null = null): Service => ({ url: new URL(url), token: async () => token })

t.test('an import whose connection breaks continues by itself after the last chunk, with a new token', async t => {
  const { listen, db, issuer, send } = await buildOnce(t)
  const port = await listen()
  let isFirst = true
  /** Passes most of the file, and breaks the connection once a part is registered. */
  const cutOff = (client: Socket, upstream: Socket) => {
    let passed = 0
    client.on('data', async bytes => {
      const part = bytes.subarray(0, Math.max(0, PASSED - passed))
      passed += bytes.length
      upstream.write(part)
      if (part.length === bytes.length) return
      while (await db.customer.count() < 128) await sleep(5)
      client.destroy()
    })
  }
  const proxy = createServer((client: Socket) => {
    const upstream = connect(port, '127.0.0.1')
    client.on('error', () => {}).on('close', () => upstream.destroy())
    upstream.on('error', () => {}).pipe(client)
    if (isFirst) cutOff(client, upstream)
    else client.pipe(upstream)
    isFirst = false
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => { proxy.close() })

  // as: a server that listens on a port has such an address.
  const url = new URL(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
  let tokens = 0
  const token = async () => { tokens++; return await issuer.mint() }
  const headers = { 'content-type': 'text/csv', 'idempotency-key': 'k' }
  const tools = await record(async () => {
    // The service learns later that the connection is lost. Another file changes nothing.
    while ((await send('POST', `${PATH}/import`, { form: HEADER, headers })).statusCode === 409) await sleep(5)
  })
  const source = await fileOf(t, HEADER + rows(300))
  const { report, isReplay } = await importFile({ url, token }, { source, ...IMPORT }, tools)
  t.match(report, { lines: 300, registered: 300, failed: 0 })
  t.notOk(isReplay)
  t.equal(await db.customerChange.count(), 300, 'each is registered once')
  t.same([tools.lines, tools.waits, tokens], [[`The connection to ${url.host} was lost. Trying again in 1 s.`], [1], 2])
})

t.test('what may pass is tried again five times, and only with a file; what will not is an error at once', async t => {
  const answers: Array<[status: number, headers?: Record<string, string>, body?: object]> = []
  let requests = 0
  const url = await standIn(t, (request, response) => {
    requests++
    const [status, headers = {}, body] = answers.shift() ?? [0]
    if (status === 0) request.socket.destroy()
    else response.writeHead(status, headers).end(body === undefined ? '<html>' : JSON.stringify(body))
  })
  const { host } = new URL(url)
  const file = await fileOf(t, HEADER)
  const pipe: Source = { ...file, size: undefined }
  const lost = `The connection to ${host} was lost.`
  const problem = { title: 'Not possible', detail: 'It is \u001b[2J not.', report: { ...REPORT, lines: 1, registered: 1 } }
  const cases: Array<[answers: typeof answers, waits: number[], error: string, source?: Source, token?: string]> = [
    [[], [1, 2, 4, 8, 16], lost],
    [[], [], lost, pipe],
    [[[409, { 'retry-after': '1' }, problem], [503, { 'retry-after': '3' }], [404]], [1, 3],
      `customer-service at ${url}/ answers with status 404. Check the path of --url, and what a proxy in front of it does with that path.`],
    [[[502], [408], [401]], [1, 2], 'You are not signed in. Run frontdesk-customer login.'],
    [[[401, {}, problem], [400, {}, problem]], [1], 'It is [2J not.\n1 record read, 1 registered, 0 failed.', file, 'a-token'],
    [[[302, { location: 'http://b.example/' }]], [],
      `customer-service at ${url}/ leads elsewhere, to http://b.example/, and redirects are not followed. Set --url to the address where it really is.`],
    [[[200, { 'content-type': 'application/json' }, {}]], [], `${url}/ is not the address of customer-service. Check --url.`],
    [[[200, { 'content-type': 'text/html' }]], [],
      `customer-service at ${url}/ is a page (HTML, status 200) and not JSON. ` +
      'Something else answers there: a proxy, a sign-in page, an app. Check the path of --url, and let a proxy pass it on.'],
    // What a proxy makes of an answer that breaks off.
    [[[200], [200, { 'content-type': 'application/json' }]], [1, 2, 4, 8, 16], lost],
    [[[413, { 'content-type': 'text/html' }]], [],
      `A server between here and ${host} rejects uploads of this size (status 413). ` +
      'Raise its limit, such as client_max_body_size of nginx, or send the file in parts.']
  ]
  for (const [planned, waits, message, source = file, token] of cases) {
    answers.push(...planned)
    requests = 0
    const tools = await record()
    await t.rejects(importFile(serviceAt(url, token), { source, ...IMPORT }, tools), { message })
    t.same([tools.waits, requests], [waits, waits.length + 1], message)
  }
  answers.push([200, { 'content-type': 'application/json' }, REPORT])
  t.same(await importFile(serviceAt(url), { source: pipe, ...IMPORT }, await record()), { report: REPORT, isReplay: false })
})

t.test('an import outlives any number of access tokens as long as it comes further with each', async t => {
  const ended = (lines: number) => ({ status: 401, body: { title: 'Ended', detail: 'It ended.', report: { ...REPORT, lines, registered: lines } } })
  const answers: Array<{ status: number, body: object, headers?: object }> = []
  const url = await standIn(t, (request, response) => {
    // !: no case has more requests than answers.
    const { status, body, headers } = answers.shift()!
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  const source = await fileOf(t, HEADER)
  answers.push(...Array.from({ length: 8 }, (_, index) => ended(index + 1)), { status: 200, body: REPORT, headers: { 'idempotent-replayed': 'true' } })
  const long = await record()
  t.same(await importFile(serviceAt(url, 'a-token'), { source, ...IMPORT }, long), { report: REPORT, isReplay: false })
  t.same(long.waits, Array(8).fill(1))

  answers.push(...Array(6).fill(ended(8)))
  const stuck = await record()
  await t.rejects(importFile(serviceAt(url, 'a-token'), { source, ...IMPORT }, stuck), { message: /^It ended\./ })
  t.same([stuck.waits, answers], [[1, 2, 4, 8, 16], []])
})

t.test('a service that was never reached is not tried again; no token leaves this computer unencrypted', async t => {
  const source = await fileOf(t, HEADER)
  const tools = await record()
  await t.rejects(importFile(serviceAt(await nowhere()), { source, ...IMPORT }, tools), { message: /nothing listens on/ })
  await t.rejects(importFile(serviceAt('http://customers.example', 'a-token'), { source, ...IMPORT }, tools), {
    message: '--url must begin with https://: customers.example is not on this computer, and others could read the token on its way.'
  })
  t.same(tools.waits, [])
})

t.test('a refusal ends the file: by the head of the request it is not read, later it is not read on', async t => {
  const parts = { read: 0, isClosed: false }
  const endless: Source = {
    size: undefined,
    async * read () {
      try {
        for (;; parts.read++) yield Buffer.alloc(65_536)
      } finally {
        parts.isClosed = true
      }
    },
    close: async () => {}
  }
  const refuse = { title: 'Refused', detail: 'No.' }
  const late = await standIn(t, (request, response) => {
    request.once('data', () => { response.writeHead(400).end(JSON.stringify(refuse)) })
  })
  await t.rejects(importFile(serviceAt(late), { source: endless, ...IMPORT }, await record()), { message: 'No.' })
  t.ok(parts.read > 0 && parts.isClosed)

  parts.read = 0
  const { listen } = await buildOnce(t)
  const service = serviceAt(`http://127.0.0.1:${await listen()}`, 'a-token')
  await t.rejects(importFile(service, { source: endless, ...IMPORT }, await record()), { message: /^The access token/ })
  t.equal(parts.read, 0)
})

t.test('the same file has the same key, in the same format and mode only', async t => {
  const keys = await Promise.all([['a', 'csv'], ['a', 'csv'], ['b', 'csv'], ['a', 'json']].map(async ([text = '', how = '']) =>
    await contentKey(await fileOf(t, text), [how], () => {})))
  t.equal(keys[0], keys[1])
  t.equal(new Set(keys).size, 3)
})

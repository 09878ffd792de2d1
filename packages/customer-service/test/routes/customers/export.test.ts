import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { PATH, build, buildOnce } from '../../support/helper.js'

type Service = Awaited<ReturnType<typeof build>>

const EXPORT = `${PATH}/export`

/** Values that a file must carry unchanged. */
const names = [
  'charitha', '=1+1', '\'=1+1', '\'\'@x', '\'', '-5', '+', '"quoted", with comma', 'two\nlines', ';', 'ශ්‍රී', '😀', '\'quoted\'',
  '=cmd|\' /C calc\'!A0', '＝1+1', '\'＠x'
]

async function register (t: Test, { http, everything }: Service, customers: object[]) {
  const headers = { authorization: `Bearer ${everything}`, 'content-type': 'application/json' }
  const answer = await http.inject({ method: 'POST', url: `${PATH}/import`, headers, payload: JSON.stringify(customers) })
  t.match(answer.json(), { registered: customers.length, failed: 0 })
}

const customersNamed = (names: string[]) =>
  names.map((name, index) => ({
    customerid: 3 * index + 1, customername: name.replace('\n', ' '), customerage: index % 150, customeraddress: name
  }))

t.test('a file of each kind is imported as it was exported, over pages', async t => {
  const customers = customersNamed([...names, ...Array.from({ length: 1_100 }, (_, index) => `name ${index}`)])
  const service = await build(t)
  await register(t, service, customers)
  const authorization = `Bearer ${service.everything}`
  const starts = { 'text/csv': '\ufeffcustomerid,', 'application/x-ndjson': '{"customerid":1,', 'application/json': '[\n{"customerid":1,' }
  for (const [accept, start] of Object.entries(starts)) {
    const url = `${EXPORT}${accept === 'text/csv' ? '?bom=true' : ''}`
    const { statusCode, headers, rawPayload, payload } = await service.http.inject({ url, headers: { authorization, accept } })
    t.equal(statusCode, 200)
    t.equal(headers['content-type'], `${accept}; charset=utf-8`)
    t.match(headers['content-disposition'], /^attachment; filename="customers\.(csv|ndjson|json)"$/)
    t.ok(payload.startsWith(start), payload.slice(0, 40))
    if (accept === 'application/json') t.same(JSON.parse(payload), customers)

    const other = await build(t)
    const again = await other.http.inject({
      method: 'POST', url: `${PATH}/import`, headers: { authorization: `Bearer ${other.everything}`, 'content-type': accept }, payload: rawPayload
    })
    t.match(again.json(), { registered: customers.length, errors: [] })
    const { payload: copy } = await other.http.inject({
      url: EXPORT, headers: { authorization: `Bearer ${other.everything}`, accept: 'application/x-ndjson' }
    })
    t.same(copy.trim().split('\n').map(line => JSON.parse(line)), customers)
  }
})

t.test('with end=true, a file ends with a mark that no value has', async t => {
  const service = await buildOnce(t)
  await service.register(1)
  for (const accept of ['text/csv', 'application/x-ndjson', 'application/json']) {
    const ask = async (query: string) => (await service.send('GET', `${EXPORT}${query}`, { headers: { accept } })).payload
    const file = await ask('')
    t.notMatch(file, '\u0004')
    t.equal(await ask('?end=true'), `${file}\u0004`)
    t.equal(await ask('?end=false'), file)
  }
  t.equal((await service.send('GET', `${EXPORT}?end=yes`)).statusCode, 400)
})

t.test('what is asked is negotiated, and an empty register is a file, too', async t => {
  const { http, everything } = await buildOnce(t)
  const ask = async (accept: string | undefined, query = '', method: 'GET' | 'HEAD' = 'GET') => await http.inject({
    method, url: `${EXPORT}${query}`, headers: { authorization: `Bearer ${everything}`, ...accept === undefined ? {} : { accept } }
  })
  t.equal((await ask(undefined)).payload, 'customerid,customername,customerage,customeraddress\r\n')
  t.equal((await ask('*/*;q=0.1, application/json')).payload, '[\n]\n')
  t.equal((await ask('application/x-ndjson')).payload, '')
  t.match(await ask('text/csv', '', 'HEAD'), { statusCode: 200, payload: '', headers: { 'content-type': 'text/csv; charset=utf-8' } })
  t.match((await ask('image/png')).json(), { status: 406 })
  t.match((await ask('text/csv', '?bom=1&x=2')).json(), { status: 400, errors: [{ field: 'bom' }, { field: 'x' }] })
  t.equal((await http.inject({ url: EXPORT })).statusCode, 401)
  for (const [path, allow] of [['export', 'GET, HEAD, OPTIONS'], ['import', 'POST, OPTIONS']]) {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'POST'] as const) {
      if (allow!.includes(method)) continue
      const answer = await http.inject({ method, url: `${PATH}/${path}`, headers: { authorization: `Bearer ${everything}` } })
      t.match(answer, { statusCode: 405, headers: { allow } }, `${method} ${path}`)
    }
  }
})

t.test('while the database is unavailable, every kind of file is 503', async t => {
  const { http, search, everything } = await buildOnce(t)
  search.list = async () => { throw Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' }) }
  for (const accept of ['text/csv', 'application/json', 'application/x-ndjson']) {
    const answer = await http.inject({ url: EXPORT, headers: { authorization: `Bearer ${everything}`, accept } })
    t.match(answer, { statusCode: 503, headers: { 'retry-after': '2', 'content-disposition': undefined } }, accept)
    t.match(answer.json(), { type: '/problems/database-unavailable' })
  }
})

/** Not `once`: the error of a write that is too late comes before it. */
async function closeOf (socket: Socket) {
  if (!socket.closed) await new Promise(resolve => { socket.on('close', resolve) })
}

t.test('a service that stops breaks the file off, and a caller who leaves ends the work', async t => {
  const service = await build(t)
  const { http, search, everything } = service
  await register(t, service, customersNamed(Array.from({ length: 2_000 }, () => 'name')))
  const port = await service.listen()
  const { list } = search
  /** Does something while the second of four pages is read. @returns the response, and the pages that were read until its end */
  async function disturb (work: (response: IncomingMessage, connection: Socket) => Promise<unknown>) {
    let pages = 0
    const request = get({ port, path: EXPORT, headers: { authorization: `Bearer ${everything}` } })
    const answered = once(request, 'response')
    const connected = once(http.server, 'connection')
    Object.assign(search, {
      list: async (query: Parameters<typeof list>[0]) => {
        const page = await list(query)
        if (++pages === 2) await work((await answered)[0], (await connected)[0])
        return page
      }
    })
    const [response] = await answered as [IncomingMessage]
    response.on('error', () => {}).resume()
    await closeOf((await connected)[0])
    return { response, pages }
  }
  const left = await disturb(async (response, connection) => {
    response.destroy()
    await closeOf(connection)
  })
  t.equal(left.pages, 2)
  let closed: PromiseLike<unknown> | undefined
  const stopped = await disturb(async () => {
    closed = http.close()
    await once(http.stopping, 'abort')
  })
  t.match(stopped, { pages: 2, response: { complete: false } })
  await closed
  const lines = service.log.filter(line => line.includes('/export"')).map(line => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  t.match(lines, [{ method: 'GET', path: EXPORT, status: 200 }, { method: 'GET', path: EXPORT, status: 200 }])
  t.equal(lines.length, 2)
})

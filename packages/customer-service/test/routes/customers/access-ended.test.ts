import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { buildOnce, PATH } from '../../support/helper.js'

type Service = Awaited<ReturnType<typeof buildOnce>>

const rows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index},name,33,street\n`).join('')

/** Starts the service, and makes a token that has ended once both clocks of this process are moved. */
async function start (t: Test) {
  const { now } = Date
  const { now: sinceStart } = performance
  let later = 0
  Date.now = () => now.call(Date) + later
  performance.now = () => sinceStart.call(performance) + later
  t.teardown(() => { Date.now = now; performance.now = sinceStart })
  const service = await buildOnce(t)
  const token = await service.issuer.mint({ claims: { exp: Math.floor(Date.now() / 1_000) + 300 } })
  return { service, token, pass: () => { later = 400_000 } }
}

async function importFile ({ http }: Service, token: string, payload: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv', 'idempotency-key': 'k' }
  return await http.inject({ method: 'POST', url: `${PATH}/import`, headers, payload })
}

t.test('an import ends with its token, and continues with a new one', async t => {
  const { service, token, pass } = await start(t)
  const file = 'number,name,age,address\n' + rows(1, 400)
  const { addAndAdvance } = service.imports
  service.imports.addAndAdvance = async (...args) => {
    const taken = await addAndAdvance(...args)
    pass()
    return taken
  }
  const refused = await importFile(service, token, file)
  t.match(refused, { statusCode: 401, headers: { 'www-authenticate': /^Bearer .*error="invalid_token"/ } })
  t.match(refused.json(), { type: '/problems/token-invalid', report: { lines: 128, registered: 128, failed: 0 } })
  t.equal(await service.db.customer.count(), 128)
  const continued = await importFile(service, await service.issuer.mint(), file)
  t.match(continued.json(), { lines: 400, registered: 400, failed: 0 })
})

t.test('an import of empty lines ends with its token, too', async t => {
  const { service, token, pass } = await start(t)
  const file = new Readable({ read () {} })
  file.push('\n')
  const { begin } = service.imports
  service.imports.begin = async hash => {
    pass()
    return await begin(hash)
  }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson', 'idempotency-key': 'k' }
  const refused = await service.http.inject({ method: 'POST', url: `${PATH}/import`, headers, payload: file })
  t.match(refused.json(), { status: 401, report: { lines: 0, registered: 0 } })
})

t.test('an export breaks off when its token ends', async t => {
  const { service, token, pass } = await start(t)
  await importFile(service, service.everything, 'number,name,age,address\n' + rows(1, 600))
  const { list } = service.search
  service.search.list = async query => {
    const page = await list(query)
    pass()
    return page
  }
  await t.rejects(service.send('GET', `${PATH}/export`, { token }), 'what is not complete does not end as it should')
})

t.test('an export of one customer breaks off when its token ends', async t => {
  const { service, token, pass } = await start(t)
  await service.register(1)
  const copies = Array.from({ length: 250 }, (_, version) => `(1, ${version}, 'updated', '2026-01-01 00:00:00', 'age')`).join()
  await service.db.$executeRawUnsafe(`INSERT INTO customer_change (customer_id, version, kind, at, fields) VALUES ${copies}`)
  const { list } = service.history
  service.history.list = async (...args) => {
    const changes = await list(...args)
    pass()
    return changes
  }
  await t.rejects(service.send('GET', `${PATH}/1/export`, { token }))
})

import { CustomerClient, CustomerProblem, type CustomerPage } from '@frontdesk/customer-client'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { format } from 'node:util'
import t from 'tap'
import { buildOnce } from '../support/helper.js'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const charitha = { customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' }

const service = await buildOnce(t)
const url = `http://127.0.0.1:${await service.listen()}`
const customers = new CustomerClient({ url, token: service.everything, retries: 0 })

/** The problem that a call ends with. */
async function problemOf (call: Promise<unknown>): Promise<CustomerProblem> {
  const error = await call.catch((error: unknown) => error)
  if (!(error instanceof CustomerProblem)) throw error
  return error
}

await t.test('every operation of the register', async t => {
  const { href, etag } = await customers.register(charitha)
  t.equal(href, '/rest/qa/customer/1')
  t.equal(await customers.readName(1), 'charitha')
  t.same(await customers.read(1), { ...charitha, etag: etag.replace('text', 'json') })

  await customers.move({ customername: 'charitha', customeraddress: 'colombo & more' }, { ifMatch: etag })
  await customers.change(1, { customerage: 34 }, { ifMatch: (await customers.read(1)).etag })
  const read = await customers.read(1)
  t.match(read, { ...charitha, customerage: 34, customeraddress: 'colombo & more' })
  await customers.replace(1, { customername: 'ශ්‍රී + %', customerage: 0, customeraddress: 'galle' }, { ifMatch: read.etag })
  t.equal(await customers.readName(1), 'ශ්‍රී + %')
  const { items: [last], next: earlier } = await customers.history(1, { limit: 1 })
  t.match(last, { kind: 'updated', before: { customerage: 34 }, after: { customerage: 0, customeraddress: 'galle' } })
  t.same((await customers.history(1, { cursor: earlier })).items.map(({ kind }) => kind), ['updated', 'updated', 'registered'])

  await customers.register({ ...charitha, customerid: 2 })
  const page: CustomerPage = await customers.page({ q: 'chari', sort: '-name', age_gte: 1, total: true })
  t.match(page, { items: [{ ...charitha, customerid: 2 }], total: { count: 1, more: false } })
  t.equal(page.next, undefined)
  const ids = []
  for await (const { customerid } of customers.list({ limit: 1 })) ids.push(customerid)
  t.same(ids, [1, 2])

  for (const id of ids) await customers.remove(id, { ifMatch: (await customers.read(id)).etag })
  t.same((await customers.page()).items, [])
  t.match(await customers.exportOne(1), { customer: null, history: [{ kind: 'removed' }, {}] })
  const { items: [removed], next } = await customers.removed({ q: 'ශ්‍රී', limit: 1 })
  t.match(removed, { customerid: 1, customeraddress: 'galle', at: /Z$/ })
  t.equal(next, undefined)
  await customers.restore(1, removed!.version)
  t.equal((await customers.read(1)).customerid, 1)
  const file = new Blob(['Number;Name;Age;Address\n3;nimal;40;galle\n1;taken;40;galle\n'])
  t.match(await customers.import(file, 'text/csv', { dryRun: true }), { registered: 1, dryRun: true, errors: [{ line: 3, customerid: 1 }] })
  const { operation, ...report } = await customers.import(file, 'text/csv')
  t.match(report, { registered: 1, failed: 1, dryRun: false })
  t.match(await customers.operations({ limit: 1 }), { items: [{ operation, kind: 'import', customers: 1 }] })
  t.equal(await customers.readName(3), 'nimal')
  await customers.remove(3)
  t.match(await customers.erase(1), { customerid: 1, removed: { customers: 1 }, erasedAt: /Z$/ })
})

await t.test('problems of the service', async t => {
  await customers.register(charitha)
  t.match(await problemOf(customers.register(charitha)), { status: 409, kind: 'customer-exists', errors: [] })
  t.match(await problemOf(customers.read(2)), { status: 404, kind: 'customer-unknown' })
  t.match(await problemOf(customers.change(1, {}, { ifMatch: '"9-text"' })), { status: 400, kind: 'json-invalid' })
  t.match(await problemOf(customers.change(1, { customerage: 1 }, { ifMatch: '"9-text"' })), { status: 412, kind: 'version-differs' })
  t.match(await problemOf(customers.change(1, { customerage: 1 }, { ifMatch: '' })), { status: 400, kind: 'request-malformed' })
  t.match(await problemOf(customers.page({ limit: 0, cursor: '!' })), { kind: 'query-invalid', errors: [{ field: 'limit' }, { field: 'cursor' }] })
  t.match(await problemOf(new CustomerClient({ url }).read(1)), { status: 401, kind: 'token-missing', requestId: /./ })
  await customers.register({ ...charitha, customerid: 2 })
  t.match(await problemOf(customers.move({ customername: 'charitha', customeraddress: 'galle' })), {
    status: 409, kind: 'name-ambiguous', candidates: [{ customerid: 1, href: '/rest/qa/customer/1' }, { customerid: 2 }]
  })
  for (const id of [1, 2]) await customers.remove(id)
})

await t.test('a registration whose answer is lost is sent again, and adds one customer', async t => {
  let lost = 0
  const unlucky = new CustomerClient({
    url,
    token: service.everything,
    wait: async () => {},
    async fetch (...args) {
      const answer = await fetch(...args)
      if (lost++ === 0) throw new TypeError('fetch failed')
      return answer
    }
  })
  t.equal((await unlucky.register(charitha)).href, '/rest/qa/customer/1')
  t.equal(lost, 2)
  await customers.remove(1)
})

await t.test('an import of a stream is sent once, and what export gives is what import takes', async t => {
  await customers.register(charitha)
  const report = await customers.import(await customers.export('application/x-ndjson'), 'application/x-ndjson', { dryRun: true })
  t.match(report, { lines: 1, registered: 0, failed: 1, errors: [{ customerid: 1 }] })
  const csv = (id: number) => new Blob([`number,name,age,address\n${id},ann,-1,rue\n`]).stream()
  t.match(await customers.import(csv(-7), 'text/csv'), { registered: 1, failed: 0 })
  let sent = 0
  const refused = new CustomerClient({ url, token: () => 'expired', wait: async () => {}, fetch: (...args) => { sent++; return fetch(...args) } })
  t.match(await problemOf(refused.import(csv(-8), 'text/csv')), { status: 401, attempts: 1 })
  t.equal(sent, 1)
  for (const id of [1, -7]) await customers.remove(id)
})

await t.test('the change feed as it grows', async t => {
  const { next } = (await service.send('GET', '/rest/qa/customer/events?after=latest')).json()
  const events = customers.events({ after: next })
  await customers.register(charitha)
  t.match(await events.next(), { value: { type: 'customer.registered.v1', subject: '1', data: { customerid: 1 } } })
  await customers.remove(1)
  t.match((await events.next()).value, { type: 'customer.removed.v1' })
  await events.return()
})

await t.test('an expired token is replaced once', async t => {
  const expired = await service.issuer.mint({ claims: { exp: 1 } })
  const token = (rejected?: string) => rejected === expired ? service.everything : expired
  t.same((await new CustomerClient({ url, token }).page()).items, [])
})

await t.test('the code of its README prints what it says', async t => {
  const blocks = [...(await readFile(join(root, 'packages/customer-client/README.md'), 'utf8')).matchAll(/```js\n(.*?)```/gs)].map(([, block]) => block!)
  t.ok(blocks.length > 5)
  const text = blocks.join('\n').replaceAll('http://localhost:3001', url).replaceAll("'a-token'", 'token')
  const expected = [...text.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, line]) => line!)
  const imports = /^import .*\n/gm
  // Below node_modules, where it finds what it imports.
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'client-readme-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const file = join(folder, 'readme.mjs')
  await writeFile(file, `${text.match(imports)!.join('')}
    export default async (console, token, getToken) => {${text.replaceAll(imports, '')}}`)
  // as: what is written above.
  const { default: readme } = await import(pathToFileURL(file).href) as { default: (...args: unknown[]) => Promise<void> }
  const printed: string[] = []
  await readme({ log: (...values: unknown[]) => { printed.push(format(...values)) } }, service.everything, async () => service.everything)
  t.same(printed, expected)
})

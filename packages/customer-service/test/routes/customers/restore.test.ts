import t from 'tap'
import { build, PATH } from '../../support/helper.js'

export const onBothDatabases = true

type Service = Awaited<ReturnType<typeof build>>

const form = (id: number, name = 'charitha') => ({ customerid: id, customername: name, customerage: 33, customeraddress: 'piliyandala' })

async function historyOf ({ db }: Service, customerId = 1) {
  const changes = await db.customerChange.findMany({ where: { customerId }, orderBy: { seq: 'asc' } })
  return changes.map(({ before, after, ...change }) =>
    ({ ...change, before: before === null ? null : JSON.parse(before), after: after === null ? null : JSON.parse(after) }))
}

t.test('restore gives a customer the values after a version, and brings a removed customer back', async t => {
  const service = await build(t)
  const { send, register, read, feed, search, issuer } = service
  const etag = await register(1)
  const first = Number(/\d+/.exec(etag)![0])
  const restore = (version: number | string, options = {}) => send('POST', `${PATH}/1/history/${version}/restore`, options)
  await send('PUT', `${PATH}/1`, { form: { customername: 'Ben', customerage: 40, customeraddress: 'galle' } })
  t.equal((await restore(first, { token: await issuer.mint({ claims: { scope: 'customer:read customer:delete' } }) })).statusCode, 403)
  t.equal((await restore(first, { headers: { 'if-match': etag } })).statusCode, 412)
  t.equal((await restore(first, { form: 'a=b' })).statusCode, 415)
  t.equal((await restore(first, { headers: { 'if-match': `"${first + 1}-json"` } })).statusCode, 204)
  t.same(await read(1), form(1))
  const list = async (word: string) =>
    (await search.list({ filters: { words: [word] }, sort: 'name', descending: false, limit: 9 })).customers.map(({ version }) => version)
  t.same([await list('charitha'), await list('ben')], [[first + 2], []], 'it is found by the restored name')

  await send('DELETE', `${PATH}/1`)
  t.equal((await restore(first, { headers: { 'if-match': `"${first + 2}-text"` } })).statusCode, 412, 'a removed customer has no ETag')
  const added = await restore(first + 1)
  t.match(added, { statusCode: 201, body: '', headers: { location: `${PATH}/1` } })
  t.equal((await send('GET', `${PATH}/1`)).headers.etag, added.headers.etag)
  t.same(await read(1), { customerid: 1, customername: 'Ben', customerage: 40, customeraddress: 'galle' })
  t.same((await historyOf(service)).map(({ kind, before, after }) => [kind, before?.name, after?.name]), [
    ['registered', undefined, 'charitha'], ['updated', 'charitha', 'Ben'], ['restored', 'Ben', 'charitha'], ['removed', 'charitha', undefined],
    ['restored', undefined, 'Ben']
  ])
  const { changes } = await feed.read('oldest', 9) as { changes: object[] }
  t.match(changes[2], { kind: 'restored', fields: 'name,age,address' })
  t.match((await restore(first)).json(), { status: 409, detail: /was removed after this version/ }, 'whose it is, the history may not know')
  for (const version of [first + 9, 'x', '01', 2147483648]) {
    t.match((await restore(version)).json(), { status: 404, detail: 'The history of customer 1 does not have this version.' })
  }
  t.equal((await send('POST', `${PATH}/2/history/${first}/restore`)).statusCode, 404)
  t.equal(await read(2), 404, 'a refused request leaves nothing')
})

t.test('restore never overwrites another customer who got the number', async t => {
  const service = await build(t)
  const { send, register, read, db } = service
  const version = Number(/\d+/.exec(await register(1, 'Old'))![0])
  const restore = () => send('POST', `${PATH}/1/history/${version}/restore`)
  await send('DELETE', `${PATH}/1`)
  await register(1, 'New')
  t.match((await restore()).json(), { status: 409, type: '/problems/customer-exists' })
  t.equal((await read(1)).customername, 'New')

  await send('DELETE', `${PATH}/1`)
  const newest = (await historyOf(service)).at(-1)!.version
  t.equal((await restore()).statusCode, 201, 'the number is free')
  t.equal((await send('POST', `${PATH}/1/history/${newest}/restore`)).statusCode, 409, 'it is the first one again')
  await send('DELETE', `${PATH}/1`)
  await db.customer.create({ data: { id: 1, name: 'By SQL', nameKey: 'By SQL', age: 1, address: 'x', version: 7, updatedAt: new Date() } })
  t.equal((await restore()).statusCode, 409, 'nothing says who this is')
})

t.test('restore never overwrites a customer that was restored, when its own registration is not in the history any more', async t => {
  const service = await build(t)
  const { send, register, read, db } = service
  const restore = (version: number) => send('POST', `${PATH}/1/history/${version}/restore`)
  const versions: number[] = []
  for (const name of ['Old', 'New']) {
    versions.push(Number(/\d+/.exec(await register(1, name))![0]))
    await send('DELETE', `${PATH}/1`)
  }
  const [old = 0, second = 0] = versions
  t.equal((await restore(old)).statusCode, 201)
  await db.customerChange.deleteMany({ where: { version: old } })
  t.equal((await restore(second)).statusCode, 409)
  t.equal((await read(1)).customername, 'Old')
})

t.test('without a history nothing can be restored', async t => {
  const { send, register } = await build(t, { HISTORY_DAYS: '0' })
  const version = /\d+/.exec(await register(1))![0]
  t.equal((await send('POST', `${PATH}/1/history/${version}/restore`)).statusCode, 404)
})

t.test('of many restorations, removals and registrations at once to two processes, none gives a customer the values of another', async t => {
  const one = await build(t)
  const two = await build(t, { DATABASE_URL: one.config.databaseUrl, ISSUER: one.issuer.url, JWKS_URL: one.issuer.url })
  const statuses: Record<string, number> = {}
  const ask = async (lane: number, step: number) => {
    const { send } = lane % 2 === 0 ? one : two
    const known = await one.db.customerChange.findMany({ where: { customerId: 1 }, orderBy: { seq: 'asc' } })
    const version = known.at(-1 - (lane * 3 + step) % 5)?.version ?? 0
    const requests: Array<[method: string, path: string, options?: object]> = [
      ['POST', PATH, { form: form(1, `name ${lane}-${step}`) }], ['POST', `${PATH}/1/history/${version}/restore`], ['DELETE', `${PATH}/1`],
      ['PATCH', `${PATH}/1`, { form: { customerage: step } }], ['POST', `${PATH}/1/history/${version}/restore`]
    ]
    const index = (lane * 2 + step * 3) % requests.length
    const [method, path, options] = requests[index]!
    const { statusCode } = await send(method, path, { token: one.everything, ...options })
    t.ok(statusCode < 500 || statusCode === 503, `${method} ${path}`)
    if (path.endsWith('restore')) statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
  }
  await Promise.all(Array.from({ length: 12 }, async (_, lane) => { for (let step = 0; step < 12; step++) await ask(lane, step) }))

  let known: { name: string } | null = null
  for (const { kind, before, after } of await historyOf(one)) {
    t.same(before, known, 'it changed what the change before it left')
    // Names belong to one registration each.
    if (kind === 'restored' && known !== null) t.equal(after.name, known.name, 'of the same customer')
    known = after
  }
  t.equal((await one.db.customer.findUnique({ where: { id: 1 } }))?.name, known?.name)
  t.ok(statuses[201]! > 0, JSON.stringify(statuses))
})

import t from 'tap'
import { build, PATH } from '../../support/helper.js'
import { HEADER, importFile, rows, undo } from '../../support/import-rows.js'
import { buildTwo } from '../../support/two-replicas.js'
import { assertNothingLost } from '../../support/whole-changes.js'

export const onBothDatabases = true

type Service = Awaited<ReturnType<typeof build>>

async function bulk ({ send }: Pick<Service, 'send'>, body: unknown, { query = '', token }: { query?: string, token?: string } = {}) {
  const form = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  return (await send('POST', `${PATH}/bulk${query}`, { form, headers, ...token === undefined ? {} : { token } })).json()
}

const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

t.test('bulk changes the same fields of customers in one operation, which an undo takes back', async t => {
  const service = await build(t)
  await importFile(service, HEADER + rows(1, 300))
  const change = { change: { customeraddress: 'Zürich' }, customers: [...ids(1, 299), 7, 999] }
  t.same(await bulk(service, change, { query: '?dry_run=true' }), { changed: 299, failed: [{ customerid: 999, reason: 'unknown' }], dryRun: true })
  t.equal((await service.read(1)).customeraddress, 'street')

  const { operation, ...report } = await bulk(service, change)
  t.same(report, { changed: 299, failed: [{ customerid: 999, reason: 'unknown' }], dryRun: false })
  t.match(await service.read(1), { customername: 'name 1', customerage: 33, customeraddress: 'Zürich' })
  t.equal((await service.read(300)).customeraddress, 'street')
  t.match((await service.send('GET', `${PATH}?q=zurich&limit=1&total=true`)).json(), { total: { count: 299 } }, 'the search finds them')
  t.match((await service.send('GET', `${PATH}/operations?limit=1`)).json().items, [{ operation, kind: 'change', customers: 299 }])
  await service.send('PATCH', `${PATH}/5`, { form: { customeraddress: 'Bern' } })
  t.match(await undo(service, operation), { reverted: 298, skipped: 1, reasons: [{ customerid: 5, reason: 'changed' }] })
  t.equal(await service.db.customer.count({ where: { address: 'street' } }), 299)
})

t.test('bulk removes customers in one operation, and an undo adds them again', async t => {
  const service = await build(t)
  await importFile(service, HEADER + rows(1, 1_000))
  const { operation, removed } = await bulk(service, { remove: ids(1, 1_000) })
  t.equal(removed, 1_000)
  t.equal(await service.db.customer.count(), 0)
  await service.register(3)
  t.match(await undo(service, operation), { reverted: 999, skipped: 1, reasons: [{ customerid: 3, reason: 'registered again' }] })
  t.match(await service.read(2), { customername: 'name 2' })
  t.match(await service.read(3), { customername: 'charitha' })
  t.notOk('operation' in await bulk(service, { remove: [9_999] }), 'what changes nothing is no operation')
})

t.test('with etags, bulk leaves customers that someone changed or removed, and says which', async t => {
  const service = await build(t)
  await importFile(service, HEADER + rows(1, 300))
  const etags = await Promise.all(ids(1, 300).map(async id => {
    const { headers } = await service.send('GET', `${PATH}/${id}`, { headers: { accept: 'application/json' } })
    return headers.etag
  }))
  await service.send('PATCH', `${PATH}/7`, { form: { customeraddress: 'Bern' } })
  await service.send('DELETE', `${PATH}/200`)
  const failed = [{ customerid: 7, reason: 'changed' }, { customerid: 200, reason: 'unknown' }]
  const change = { change: { customerage: 50 }, customers: ids(1, 250), etags: etags.slice(0, 250) }
  t.same(await bulk(service, change, { query: '?dry_run=true' }), { changed: 248, failed, dryRun: true })
  t.match(await bulk(service, change), { changed: 248, failed })
  t.match(await service.read(7), { customerage: 33, customeraddress: 'Bern' })
  t.match(await service.read(250), { customerage: 50 })

  const removal = await bulk(service, { remove: ids(1, 300), etags })
  t.equal(removal.removed, 50)
  t.equal(removal.failed.length, 250)
  t.same(removal.failed.filter(({ reason }: { reason: string }) => reason === 'unknown'), [{ customerid: 200, reason: 'unknown' }])
  t.equal(await service.db.customer.count(), 249)
  t.match(await bulk(service, { remove: [1, 2], etags: ['"other"', '"2-other"'] }), { removed: 0, failed: [{ customerid: 1 }, { customerid: 2 }] })
  t.same((await bulk(service, { remove: [9_999, 9_999], etags: ['"1-text"', '"1-json"'] })).failed, [{ customerid: 9_999, reason: 'unknown' }], 'once')
})

t.test('bulk names the successor of a customer that was merged', async t => {
  const service = await build(t)
  await importFile(service, HEADER + rows(1, 3))
  for (const [into, from] of [[2, 1], [3, 2]]) {
    await service.send('POST', `${PATH}/${into}/merge`, { form: JSON.stringify({ from }), headers: { 'content-type': 'application/json' } })
  }
  const failed = [{ customerid: 1, reason: 'merged', successor: 3 }, { customerid: 2, reason: 'merged', successor: 3 }]
  const etags = ['"1-json"', '"2-json"', '"3-json"']
  const { removed, failed: all } = await bulk(service, { remove: [1, 2, 3], etags })
  t.same([removed, all], [0, [...failed, { customerid: 3, reason: 'changed' }]])
  const change = { change: { customerage: 5 }, customers: [1, 2, 3] }
  for (const query of ['?dry_run=true', '']) t.match(await bulk(service, change, { query }), { changed: 1, failed })
})

t.test('with etags, of bulk changes and single writes at once, one wins for each customer: no change is overwritten', async t => {
  const [one, two] = await buildTwo(t)
  await importFile(one, HEADER + rows(1, 40))
  for (let round = 0; round < 25; round++) {
    const before = await one.db.customer.findMany({ orderBy: { id: 'asc' } })
    const etags = before.map(({ version }: { version: number }) => `"${version}-json"`)
    const change = (age: number) => ({ change: { customerage: age }, customers: ids(1, 40), etags })
    const [mine, theirs, ...single] = await Promise.all([
      bulk(one, change(1000 + round)), bulk(two, change(2000 + round)),
      ...ids(1, 13).map(async id => (await two.send('PATCH', `${PATH}/${id * 3}`, {
        form: { customerage: `${3000 + round}` }, headers: { 'if-match': etags[id * 3 - 1]! }
      })).statusCode)
    ])
    t.equal(mine.changed + theirs.changed + single.filter(status => status === 204).length, 40, 'each customer changes once')
    t.equal(mine.failed.length, 40 - mine.changed)
    t.ok([...mine.failed, ...theirs.failed].every(({ reason }) => reason === 'changed'))
    const after = await one.db.customer.findMany()
    t.equal(after.filter(({ age }) => age === 1000 + round).length, mine.changed)
    t.equal(after.filter(({ age }) => age === 2000 + round).length, theirs.changed)
  }
})

t.test('bulk refuses what is not valid, and removing without customer:delete', async t => {
  const service = await build(t)
  await service.register(1)
  const table: Array<[body: unknown, type: string]> = [
    [{}, 'json-invalid'], [{ remove: [1], customers: [1] }, 'json-invalid'], [{ remove: [] }, 'json-invalid'], [{ remove: ['1'] }, 'json-invalid'],
    [{ remove: [1.5] }, 'json-invalid'], [{ remove: [2 ** 31] }, 'json-invalid'], [{ remove: ids(1, 1_001) }, 'json-invalid'],
    [{ remove: [1], etags: ['"1-json"', '"2-json"'] }, 'json-invalid'], [{ remove: [1], etags: ['1-json'] }, 'json-invalid'],
    [{ remove: [1], etags: '"1-json"' }, 'json-invalid'], [{ remove: [1, 1], etags: ['"1-json"', '"2-json"'] }, 'json-invalid'],
    [{ remove: [1], etags: ['*'] }, 'json-invalid'], [{ etags: ['"1-json"'] }, 'json-invalid'],
    [{ change: {}, customers: [1] }, 'json-invalid'], [{ change: { customerage: '1' }, customers: [1] }, 'json-invalid'],
    [{ change: { customerid: 2 }, customers: [1] }, 'json-invalid'], [{ change: [], customers: [1] }, 'json-invalid'],
    [{ change: Object.fromEntries(ids(1, 33).map(id => [`m${id}`, 1])), customers: [1] }, 'json-invalid'],
    ['{"change":{"customerage":1,"customerage":2},"customers":[1]}', 'json-invalid'],
    ['{"remove":[1],"remove":[2]}', 'json-invalid'], ['[]', 'json-malformed'], ['{', 'json-malformed']
  ]
  for (const [body, type] of table) {
    t.match(await bulk(service, body), { type: `/problems/${type}`, status: 400 }, JSON.stringify(body).slice(0, 60))
  }
  for (const [body, field, detail] of [
    [{ remove: [] }, 'remove', 'Must be an array of 1 to 1000 customer numbers; it has 0.'],
    [{ remove: [1, '2'] }, 'remove', 'Entry 2 must be a whole number from -2147483648 to 2147483647.'],
    [{ remove: [1, 1], etags: ['"1-json"', '"2-json"'] }, 'etags', 'Customer 1 has two different ETags.'],
    [{ remove: [1], removes: 1 }, 'removes', 'There is no such member; did you mean `remove`?']
  ] as const) t.match(await bulk(service, body), { status: 400, errors: [{ field, detail }] })
  const token = await service.issuer.mint({ claims: { scope: 'customer:write' } })
  const refused = await service.send('POST', `${PATH}/bulk`, { form: '{"remove":[1]}', headers: { 'content-type': 'application/json' }, token })
  t.equal(refused.statusCode, 403)
  t.match(refused.headers['www-authenticate'], /scope="customer:write customer:delete"/)
  t.match(await bulk(service, { change: { customerage: 2 }, customers: [1] }, { token }), { changed: 1 })
})

t.test('bulk changes and single writes at once, in two processes: each write is whole and recorded in order', async t => {
  const [one, two] = await buildTwo(t)
  for (let round = 0; round < 25; round++) {
    await importFile(one, HEADER + rows(1, 40))
    const answers = await Promise.all([
      bulk(one, { change: { customerage: round }, customers: ids(1, 40) }), bulk(two, { remove: ids(21, 40).toReversed() }),
      bulk(two, { change: { customeraddress: `${round}` }, customers: ids(1, 40).toReversed() }),
      ...ids(1, 13).map(async id => (await two.send('PATCH', `${PATH}/${id * 3}`, { form: { customername: `x ${round}` } })).statusCode)
    ])
    t.match(answers[1], { removed: 20, failed: [] })
    t.ok(answers.slice(3).every(status => status === 204 || status === 404), `${answers.slice(3)}`)
    for (const { name, age, address, id } of await one.db.customer.findMany()) {
      t.same([age, address, name], [round, `${round}`, id % 3 === 0 ? `x ${round}` : name], `${id}`)
    }
    t.equal(await one.db.customer.count(), 20)
    await bulk(one, { remove: ids(1, 20) })
  }
  await assertNothingLost(t, one)
})

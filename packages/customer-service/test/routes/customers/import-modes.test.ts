import t, { type Test } from 'tap'
import { build, PATH } from '../../support/helper.js'
import { HEADER, importFile, undo } from '../../support/import-rows.js'

export const onBothDatabases = true

const FILE = `${HEADER}1,Ann,30,street\n2,Ben,31,street\n3,Cem,32,street\n`
const BY_NAME = '?mode=upsert&match=name'

async function start (t: Test) {
  const service = await build(t)
  await importFile(service, FILE)
  return service
}

t.test('update changes the customers with these numbers, and reports unknown ones; a dry run shows what would change', async t => {
  const service = await start(t)
  const file = `${HEADER}1,Ann,30,street\n2,Ben,40,Bern\n9,New,1,x\n`
  const errors = [{ line: 4, customerid: 9, errors: [{ field: 'customerid', rule: 'unknown' }] }]
  const counts = { lines: 3, registered: 0, updated: 1, unchanged: 1, failed: 1, errors }
  const dry = await importFile(service, file, { query: '?mode=update&dry_run=true' })
  t.match(dry, counts)
  t.same(dry.changes, [{
    line: 3, customerid: 2, fields: { customerage: { before: 31, after: 40 }, customeraddress: { before: 'street', after: 'Bern' } }
  }])
  t.equal((await service.read(2)).customerage, 31)

  const { operation, ...report } = await importFile(service, file, { query: '?mode=update' })
  t.match(report, counts)
  t.same(await service.read(2), { customerid: 2, customername: 'Ben', customerage: 40, customeraddress: 'Bern' })
  t.same((await service.db.customerChange.findMany({ where: { customerId: 1 } })).length, 1, 'what is the same is no change')
  t.match(await undo(service, operation), { customers: 1, reverted: 1 })
  t.match(await service.read(2), { customerage: 31, customeraddress: 'street' })
})

t.test('upsert changes customers and registers the others, in one operation', async t => {
  const service = await start(t)
  const file = `${HEADER}2,Ben,40,street\n9,New,1,x\n`
  t.match(await importFile(service, file, { query: '?mode=upsert&dry_run=true' }), { registered: 1, updated: 1, failed: 0 })
  const { operation, ...report } = await importFile(service, file, { query: '?mode=upsert', key: 'k' })
  t.match(report, { lines: 2, registered: 1, updated: 1, unchanged: 0, failed: 0 })
  t.match(await importFile(service, file, { query: '?mode=upsert', key: 'k' }), { operation, ...report }, 'a replay')
  t.match(await importFile(service, file, { key: 'k' }), { status: 422 }, 'with another mode')
  t.match(await importFile(service, file, { query: '?mode=upsert' }), { registered: 0, updated: 0, unchanged: 2 })
  t.match(await undo(service, operation), { customers: 2, reverted: 2 })
  t.same([await service.read(9), (await service.read(2)).customerage], [404, 31])
})

t.test('match=name finds the only customer with a name, whose number stays', async t => {
  const service = await start(t)
  await service.register(4, 'Cem')
  const file = `${HEADER}11,Ann,50,street\n12,Cem,50,x\n13,Ann,60,y\n14,Nobody,1,z\n3,Other,1,z\n`
  t.match(await importFile(service, file, { query: `${BY_NAME}&dry_run=true` }), {
    registered: 1, failed: 3, changes: [{ line: 2, customerid: 1 }]
  })
  const { operation, errors, ...report } = await importFile(service, file, { query: BY_NAME })
  t.match(report, { registered: 1, updated: 1, failed: 3 })
  t.match(errors, [
    { line: 3, customerid: 12, customers: [3, 4], errors: [{ field: 'customername', rule: 'ambiguous' }] },
    { line: 4, customerid: 13, errors: [{ field: 'customername', rule: 'duplicate' }] },
    { line: 6, customerid: 3, errors: [{ field: 'customerid', rule: 'taken' }] }
  ])
  t.match(await service.read(1), { customername: 'Ann', customerage: 50 })
  t.equal(await service.read(11), 404)
  t.match(await importFile(service, `${HEADER}1,Nobody else,1,x\n`, { query: '?mode=update&match=name' }), {
    failed: 1, errors: [{ errors: [{ field: 'customername', rule: 'unknown' }] }]
  })
  t.match(await undo(service, operation), { customers: 2, reverted: 2, skipped: 0 })
})

t.test('names that are repeated far apart are errors, in a dry run too; files without numbers are matched by name', async t => {
  const service = await start(t)
  const between = Array.from({ length: 200 }, (_, index) => `other ${index},1,x\n`).join('')
  const file = `customername,customerage,customeraddress\nAnn,30,street\nNew,1,x\n${between}New,2,x\nAnn,99,street\n`
  const expected = { lines: 204, registered: 201, updated: 0, unchanged: 1, failed: 2, errors: [{ line: 204 }, { line: 205 }] }
  const query = `${BY_NAME}&map=customerid:auto`
  t.match(await importFile(service, file, { query: `${query}&dry_run=true` }), expected)
  t.match(await importFile(service, file, { query }), expected)
  t.match(await importFile(service, file, { query }), { registered: 0, unchanged: 202, failed: 2 })
})

t.test('an update by name needs no numbers, and ignores those of the file', async t => {
  const service = await start(t)
  const query = '?mode=update&match=name'
  t.match(await importFile(service, 'Name,Age,Address\nAnn,41,x\n', { query }), { updated: 1, failed: 0 })
  t.match(await importFile(service, 'Number,Name,Age,Address\nabc,Ann,42,x\n,Ben,43,x\nabc,Nobody,1,x\n', { query }), {
    updated: 2, failed: 1, errors: [{ line: 4, errors: [{ field: 'customername', rule: 'unknown' }] }]
  })
  const json = { form: '[{"customername":"Ann","customerage":44,"customeraddress":"x"}]', headers: { 'content-type': 'application/json' } }
  t.match((await service.send('POST', `${PATH}/import${query}`, json)).json(), { updated: 1, failed: 0 })
  t.same([(await service.read(1)).customerage, (await service.read(2)).customerage], [44, 43])
  const unnumbered = 'Name,Age,Address\nAnn,1,x\n'
  t.match(await importFile(service, unnumbered, { query: BY_NAME }), { status: 400 }, 'to register customers, it needs numbers')
})

t.test('parameters that would have no effect are refused', async t => {
  const service = await start(t)
  const byName = { errors: [{ field: 'match', detail: 'Must come with mode=update or mode=upsert.' }] }
  for (const query of ['?match=name', '?mode=create&match=name']) {
    t.match(await importFile(service, FILE, { query }), { status: 400, ...byName }, query)
  }
  t.match(await importFile(service, FILE, { query: '?mode=update&map=customerid:auto' }), {
    status: 400, errors: [{ field: 'map', detail: /match=name/ }]
  })
  t.match(await importFile(service, FILE, { query: '?sheet=May' }), {
    status: 400, detail: /^The file is not a workbook and has no sheets\. Leave sheet out\./
  })
  for (const path of ['import', 'import/preview']) {
    const json = { form: '[]', headers: { 'content-type': 'application/json' } }
    t.match((await service.send('POST', `${PATH}/${path}?sheet=May&map=customername:Name`, json)).json(), {
      status: 400, errors: [{ field: 'map', detail: /^Is only for tables\./ }, { field: 'sheet' }]
    }, path)
  }
})

t.test('an import changes each customer once, also if the file is too long to remember its numbers and names', async t => {
  const { imports, read } = await start(t)
  const actor = { sub: null, clientId: null, requestId: null, operationId: 'o' }
  const ann = (age: number) => ({ id: 1, name: 'Ann', age, address: 'street' })
  for (const [match, age, kind] of [['number', 40, 'updated'], ['number', 41, 'repeated'], ['name', 42, 'repeated name']] as const) {
    t.match([...(await imports.add([ann(age)], { actor, rule: { mode: 'upsert', match } })).values()], [{ kind }])
  }
  t.equal((await read(1)).customerage, 40)
})

t.test('a number that was merged is an error with its successor', async t => {
  const service = await start(t)
  await service.send('POST', `${PATH}/2/merge`, { form: JSON.stringify({ from: 1 }), headers: { 'content-type': 'application/json' } })
  await service.send('POST', `${PATH}/3/merge`, { form: JSON.stringify({ from: 2 }), headers: { 'content-type': 'application/json' } })
  for (const query of ['?mode=update', '?mode=upsert', '?mode=update&dry_run=true', '?mode=upsert&all_or_nothing=true']) {
    t.match(await importFile(service, FILE, { query }), {
      failed: 2, errors: [1, 2].map(customerid => ({ customerid, customers: [3], errors: [{ field: 'customerid', rule: 'merged' }] }))
    }, query)
  }
  t.match(await importFile(service, FILE), { registered: 2, failed: 1 }, 'as adding one customer does')
})

t.test('all_or_nothing changes nothing if one record has an error', async t => {
  const service = await start(t)
  const query = '?mode=update&all_or_nothing=true'
  t.match(await importFile(service, `${HEADER}1,Ann,50,x\n9,New,1,x\n`, { query }), { registered: 0, updated: 0, unchanged: 0, failed: 1 })
  t.equal((await service.read(1)).customerage, 30)
  const report = await importFile(service, `${HEADER}1,Ann,50,x\n2,Ben,31,street\n`, { query, key: 'k' })
  t.match(report, { updated: 1, unchanged: 1, failed: 0 })
  t.match(await importFile(service, `${HEADER}1,Ann,50,x\n2,Ben,31,street\n`, { query, key: 'k' }), report)
  t.equal((await service.read(1)).customerage, 50)
  t.match(await importFile(service, FILE, { query: '?mode=replace&match=id' }), {
    status: 400, errors: [{ field: 'mode' }, { field: 'match' }]
  })
})

t.test('the number of an erased customer leaves the errors of stored reports that name it', async t => {
  const service = await start(t)
  await service.register(4, 'Cem')
  const file = `${HEADER}11,Cem,1,x\n`
  const options = { query: BY_NAME, key: 'k' }
  t.match(await importFile(service, file, options), { errors: [{ customers: [3, 4] }] })
  for (const [id, left] of [[4, [3]], [3, []]] as const) {
    await service.send('POST', `${PATH}/${id}/erase`)
    t.match(await importFile(service, file, options), { errors: [{ customerid: 11, customers: left, errors: [{ rule: 'ambiguous' }] }] })
  }
})

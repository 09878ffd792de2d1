import t from 'tap'
import { build, PATH } from '../../support/helper.js'
import { HEADER, importFile, rows, undo } from '../../support/import-rows.js'
import { appWorld, timeBetween, undoApp } from '../../support/undo-app.js'

export const onBothDatabases = true

t.test('1,000 calls of an app are undone in one operation, which keeps two changes of a colleague and names them', async t => {
  const service = await build(t)
  const { app, admin, colleague } = await appWorld(service)
  await importFile(service, HEADER + rows(1, 600))
  const before = await service.db.customer.findMany({ orderBy: { id: 'asc' } })
  const since = await timeBetween(service)
  for (let id = 1; id <= 400; id++) await app('PATCH', `/${id}`, { customerage: 99 })
  for (let id = 401; id <= 600; id++) await app('DELETE', `/${id}`)
  for (let id = 601; id <= 1_000; id++) await app('POST', '', { customerid: id, customername: 'x', customerage: 1, customeraddress: 'y' })
  await colleague('PATCH', '/7', { customeraddress: 'colombo' })
  await colleague('DELETE', '/700')

  const skipped = [
    { customerid: 7, reason: 'changed', detail: 'Was changed later.', at: /Z$/, sub: 'colleague' },
    { customerid: 700, reason: 'removed', detail: 'Was removed later.', at: /Z$/, sub: 'colleague' }
  ]
  const counts = { customers: 1_000, reverted: 998, skipped: 2, reasons: skipped, hasMoreReasons: false }
  const dry = await undoApp(service, { since, token: admin, query: '&client_id=app&dry_run=true' })
  t.match(dry, { ...counts, dryRun: true })
  t.notOk('operation' in dry)
  t.match(await service.read(8), { customerage: 99 }, 'a dry run changes nothing')

  const report = await undoApp(service, { since, token: admin, query: '&client_id=app' })
  t.match(report, { ...counts, operation: /^[\w-]{22}$/, dryRun: false })
  const values = ({ id, name, age, address }: typeof before[number]) => ({ id, name, age, address })
  const after = await service.db.customer.findMany({ orderBy: { id: 'asc' } })
  t.same(after.filter(({ id }) => id !== 7).map(values), before.filter(({ id }) => id !== 7).map(values))
  t.match(await service.read(7), { customerage: 99, customeraddress: 'colombo' })
  t.same(await undoApp(service, { since, token: admin, query: '&client_id=app' }), report, 'repeated, it changes nothing more')
  const { items: [operation] } = (await service.send('GET', `${PATH}/operations`)).json()
  t.match(operation, {
    operation: report.operation, kind: 'undo', client_id: 'desk', customers: 998, undoes_client_id: 'app', undoes_since: since
  })

  t.match(await undo(service, report.operation), { customers: 998, reverted: 998 }, 'it can itself be undone')
  t.match(await service.read(8), { customerage: 99 })
  const again = await undoApp(service, { since, token: admin, query: '&client_id=app' })
  t.match(again, { reverted: 0, skipped: 1_000, reasons: [{ customerid: 1, reason: 'changed', sub: 'person-1' }] }, 'and is not repeated')
  t.match(await service.read(8), { customerage: 99 })
})

t.test('an app undoes what it did itself; another app needs the scope customer:undo', async t => {
  const service = await build(t)
  const { app, tokens, admin } = await appWorld(service)
  const since = await timeBetween(service)
  await app('POST', '', { customerid: 1, customername: 'x', customerage: 1, customeraddress: 'y' })
  for (const client of ['app', 'unknown']) {
    const { statusCode, headers } = await service.send('POST', `${PATH}/undo?client_id=${client}&since=${since}&dry_run=true`)
    t.equal(statusCode, 403, client)
    t.match(headers['www-authenticate'], /error="insufficient_scope".* customer:undo"/)
  }
  for (const scope of ['customer:write', 'customer:delete customer:undo']) {
    const token = await service.issuer.mint({ claims: { scope } })
    t.match(await undoApp(service, { since, token }), { status: 403 }, scope)
  }
  t.match(await undoApp(service, { since }), { customers: 0, reverted: 0 }, 'by default, the app of the token')
  t.match(await undoApp(service, { since, token: admin, query: '&client_id=app&dry_run=true' }), { customers: 1 })
  t.match(await undoApp(service, { since, token: tokens.app, query: '&client_id=app' }), { customers: 1, reverted: 1 })
  t.equal(await service.db.customer.count(), 0)
})

t.test('refuses times that the history does not cover, and parameters that it does not know', async t => {
  const service = await build(t, { HISTORY_DAYS: '2' })
  const problem = async (query: string) => (await service.send('POST', `${PATH}/undo${query}`)).json()
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  for (const [query, field, detail] of [
    ['', 'since', 'Is required: changes since this time are undone.'],
    ['?since=yesterday', 'since', /RFC 3339|time/],
    [`?since=${ago(-1)}`, 'since', 'Must not be in the future.'],
    [`?since=${ago(48)}`, 'since', /^Must not be before \d{4}-.*Z, where the history begins\.$/],
    [`?since=${ago(1)}&client_id=`, 'client_id', 'Must have 1 to 2,000 characters.'],
    [`?since=${ago(1)}&client=app`, 'client', /no such parameter/],
    [`?since=${ago(1)}&dry_run=1`, 'dry_run', 'Must be one of true, false.']
  ] as const) t.match(await problem(query), { status: 400, errors: [{ field, detail }] }, query)
  t.match(await problem(`?since=${ago(47)}`), { customers: 0 })
  const off = await build(t, { HISTORY_DAYS: '0' })
  const { errors } = (await off.send('POST', `${PATH}/undo?since=${ago(0)}`)).json()
  t.match(errors, [{ field: 'since', detail: 'There is no history, so nothing can be undone.' }])
  const open = await build(t, { AUTH: 'none' })
  const { errors: [missing] } = (await open.send('POST', `${PATH}/undo?since=${ago(1)}`, { token: null })).json()
  t.match(missing, { field: 'client_id', detail: 'Is required without an access token.' })
})

t.test('names why it skips a customer', async t => {
  const service = await build(t)
  const { app, admin, colleague } = await appWorld(service)
  await importFile(service, HEADER + rows(1, 9))
  const since = await timeBetween(service)
  for (let id = 1; id <= 6; id++) await app('PATCH', `/${id}`, { customerage: 99 })
  await colleague('POST', '/8/merge', { from: 1 })
  await colleague('DELETE', '/2')
  await colleague('DELETE', '/3')
  await service.register(3)
  await colleague('POST', '/4/erase')
  await app('POST', '/9/erase')
  await service.db.customer.update({ where: { id: 5 }, data: { age: 98 } })
  const { reasons, ...counts } = await undoApp(service, { since, token: admin, query: '&client_id=app' })
  t.match(counts, { customers: 6, reverted: 1, skipped: 5 })
  t.match(reasons, [
    { customerid: 1, reason: 'merged', sub: 'colleague', at: /Z$/ },
    { customerid: 2, reason: 'removed', sub: 'colleague', at: /Z$/ },
    { customerid: 3, reason: 'registered again', sub: 'person-1', at: /Z$/ },
    { customerid: 5, reason: 'changed' },
    { customerid: 9, reason: 'erased' }
  ])
  t.match(await service.read(6), { customerage: 33 })
})

t.test('a report has 1,000 reasons, and says that there are more', async t => {
  const service = await build(t)
  const { tokens, admin } = await appWorld(service)
  const since = await timeBetween(service)
  await importFile(service, HEADER + rows(1, 1_100), { token: tokens.app })
  const ids = Array.from({ length: 1_100 }, (_, index) => index + 1)
  for (const customers of [ids.slice(0, 600), ids.slice(600)]) {
    await service.send('POST', `${PATH}/bulk`, {
      form: JSON.stringify({ change: { customerage: 5 }, customers }), headers: { 'content-type': 'application/json' }
    })
  }
  const report = await undoApp(service, { since, token: admin, query: '&client_id=app' })
  t.match(report, { customers: 1_100, reverted: 0, skipped: 1_100, hasMoreReasons: true })
  t.equal(report.reasons.length, 1_000)
})

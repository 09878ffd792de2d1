import t from 'tap'
import { build, PATH } from '../../support/helper.js'

export const onBothDatabases = true

type Service = Awaited<ReturnType<typeof build>>

const headers = { 'content-type': 'application/json' }

const merge = async ({ send }: Service, into: number, body: object, more: Record<string, string> = {}) =>
  await send('POST', `${PATH}/${into}/merge`, { form: JSON.stringify(body), headers: { ...headers, ...more } })

const history = async ({ send }: Service, id: number) => (await send('GET', `${PATH}/${id}/history`)).json().items

t.test('a merge keeps one customer, and the number of the other names it', async t => {
  const service = await build(t)
  const { send, register, read } = service
  await register(1, 'Amélie', 'Rue Lepic 15')
  await register(2, 'Amelie', 'Rue Cler 2')
  const { statusCode, body } = await merge(service, 1, { from: 2, customeraddress: 'Rue Cler 2' })
  t.equal(statusCode, 200, body)
  const { operation, etag, customerid } = JSON.parse(body)
  t.equal(customerid, 1)
  t.same(await read(1), { customerid: 1, customername: 'Amélie', customerage: 33, customeraddress: 'Rue Cler 2' })
  t.equal((await send('GET', `${PATH}/1`, { headers: { accept: 'application/json' } })).headers.etag, etag)

  const gone = { status: 410, type: '/problems/customer-merged', successor: 1, href: `${PATH}/1` }
  for (const [method, form] of [['GET'], ['HEAD'], ['DELETE'], ['PUT', { customername: 'a', customerage: 1, customeraddress: 'b' }], ['PATCH', { customerage: 1 }]] as const) {
    const answer = await send(method, `${PATH}/2`, form === undefined ? {} : { form })
    t.match(answer, { statusCode: 410, headers: { link: `<${PATH}/1>; rel="successor-version"` } }, method)
    if (method !== 'HEAD') t.match(answer.json(), gone, method)
  }
  t.match((await merge(service, 1, { from: 2 })).json(), gone, 'again')
  t.match((await merge(service, 2, { from: 1 })).json(), gone)
  t.equal((await send('GET', `${PATH}/2?as_of=2020-01-01T00:00:00Z`)).statusCode, 404, 'before it was registered')
  t.equal((await send('PUT', PATH, { form: { customername: 'Amelie', customeraddress: 'x' } })).statusCode, 404, 'by name')

  t.match(await history(service, 1), [
    { kind: 'updated', operation }, { kind: 'merged', operation, customerid: 2, successor: 1 }, { kind: 'registered', customerid: 2 }, { kind: 'registered' }
  ])
  t.match((await send('GET', `${PATH}/operations`)).json().items, [{ operation, kind: 'merge', customers: 2 }])
  const { events } = (await send('GET', `${PATH}/events`)).json()
  t.match(events.slice(2), [{ type: 'customer.merged.v1', subject: '2', data: { successor: 1 } }, { type: 'customer.updated.v1', subject: '1' }])
  t.same((await send('GET', `${PATH}/removed`)).json().items, [])

  await register(2, 'Ben')
  t.match(await read(2), { customername: 'Ben' })
  t.equal((await history(service, 1)).length, 4, 'without the changes of the new customer')
  await send('DELETE', `${PATH}/2`)
  t.equal(await read(2), 404, 'the new customer was removed')
})

t.test('a chain of merges leads to the last customer, and has one history, export and erasure', async t => {
  const service = await build(t)
  const { send, register, read, db } = service
  for (const id of [1, 2, 3]) await register(id, `name ${id}`)
  await merge(service, 2, { from: 1 })
  await merge(service, 3, { from: 2 })
  t.match((await send('GET', `${PATH}/1`)).json(), { status: 410, successor: 3 })
  t.same((await history(service, 3)).map(({ customerid = 3, kind }: { customerid?: number, kind: string }) => `${kind} ${customerid}`), [
    'updated 3', 'merged 2', 'updated 2', 'merged 1', 'registered 3', 'registered 2', 'registered 1'
  ])
  t.equal((await send('GET', `${PATH}/3/export`)).json().history.length, 7)
  await register(1, 'another')
  t.match((await send('POST', `${PATH}/3/erase`)).json(), { removed: { customers: 1, changes: 7 } })
  t.same((await db.customerChange.findMany({ orderBy: { seq: 'asc' }, select: { customerId: true, kind: true } })).map(it => Object.values(it)), [
    [1, 'registered'], [2, 'erased'], [3, 'erased']
  ], 'the new customer with the number stays')
  t.match([await read(1), await read(2), await read(3)], [{ customername: 'another' }, 404, 404])
})

t.test('a merged number never leads to another customer that got the number of its successor later', async t => {
  const service = await build(t)
  const { send, register, read } = service
  const successorOf = async (id: number) => (await send('GET', `${PATH}/${id}`)).json().successor
  for (const id of [1, 2, 3]) await register(id, `name ${id}`)
  await merge(service, 2, { from: 1 })
  const { operation } = (await merge(service, 3, { from: 2 })).json()
  await send('POST', `${PATH}/operations/${operation}/undo`)
  t.equal(await successorOf(1), 2, 'the second merge was undone')
  await merge(service, 3, { from: 2 })
  await register(2, 'another')
  t.equal(await successorOf(1), 3)
  await send('DELETE', `${PATH}/3`)
  t.equal(await successorOf(1), 3, 'it can be restored')
  await register(3, 'another')
  t.equal(await read(1), 404)
})

t.test('undoing a merge restores both customers, or neither if one has changed', async t => {
  const service = await build(t)
  const { send, register, read } = service
  const undo = async (operation: string) => (await send('POST', `${PATH}/operations/${operation}/undo`)).json()
  for (const id of [1, 2]) await register(id, `name ${id}`)
  const first = (await merge(service, 1, { from: 2, customerage: 44 })).json()
  t.match(await undo(first.operation), { customers: 2, reverted: 2, skipped: 0 })
  t.match([await read(1), await read(2)], [{ customername: 'name 1', customerage: 33 }, { customername: 'name 2' }])
  t.equal((await history(service, 1)).length, 3, 'without the changes of the other')

  const second = (await merge(service, 1, { from: 2 })).json()
  await send('PATCH', `${PATH}/1`, { form: { customerage: 50 } })
  t.match(await undo(second.operation), { reverted: 0, skipped: 2, reasons: [{ reason: 'changed', sub: 'person-1' }, { reason: 'changed' }] })
  t.match([await read(1), await read(2)], [{ customerage: 50 }, 410])

  await register(2, 'name 2')
  const third = (await merge(service, 1, { from: 2, customerage: 60 })).json()
  await send('POST', `${PATH}/2/erase`)
  t.match(await undo(third.operation), { customers: 2, reverted: 0, skipped: 2, reasons: [{ reason: 'not retained' }] })
  t.match(await read(1), { customerage: 60 })

  await register(3)
  const fourth = (await merge(service, 1, { from: 3 })).json()
  await register(3, 'another')
  t.match(await undo(fourth.operation), { customers: 2, reverted: 0, skipped: 2, reasons: [{ reason: 'registered again' }, { reason: 'registered again' }] })
})

t.test('undoing the undo of a merge merges both customers again, or neither if one has changed', async t => {
  const service = await build(t)
  const { send, register, read } = service
  const undo = async (operation: string) => (await send('POST', `${PATH}/operations/${operation}/undo`)).json()
  for (const id of [1, 2]) await register(id, `name ${id}`)
  for (const values of [{}, { customerage: 44 }]) {
    const merged = (await merge(service, 1, { from: 2, ...values })).json()
    const undone = await undo(merged.operation)
    const again = await undo(undone.operation)
    t.match(again, { customers: 2, reverted: 2, skipped: 0 })
    t.match(await undo(undone.operation), again, 'once')
    t.match(await read(1), { customername: 'name 1', customerage: 33, ...values })
    t.match((await send('GET', `${PATH}/2`)).json(), { status: 410, successor: 1 })
    t.match((await history(service, 1)).slice(0, 2), [{ kind: 'restored' }, { kind: 'merged', customerid: 2, operation: again.operation }])
    t.match(await undo(again.operation), { customers: 2, reverted: 2 })
    t.match([await read(1), await read(2)], [{ customername: 'name 1', customerage: 33 }, { customername: 'name 2' }])
  }
  const { operation } = await undo((await merge(service, 1, { from: 2 })).json().operation)
  await send('PATCH', `${PATH}/1`, { form: { customerage: 50 } })
  t.match(await undo(operation), { customers: 2, reverted: 0, skipped: 2 })
  t.match([await read(1), await read(2)], [{ customerage: 50 }, { customername: 'name 2' }])
})

t.test('without a history, a merged number has a successor as long as the feed keeps the merge, and there is nothing to undo', async t => {
  for (const [FEED_DAYS, status] of [['7', 410], ['0', 404]] as const) {
    const service = await build(t, { HISTORY_DAYS: '0', FEED_DAYS })
    const { send, register, read, db, changes } = service
    for (const id of [1, 2, 3]) await register(id)
    const { operation, etag } = (await merge(service, 1, { from: 2, customerage: 44 })).json()
    t.equal(operation, undefined)
    t.match((await send('GET', `${PATH}/1`, { headers: { accept: 'application/json' } })).headers.etag, etag)
    await merge(service, 3, { from: 1 })
    t.match([await read(1), await read(2), await read(3)], [status, status, { customerage: 33 }])
    if (status === 410) t.equal((await send('GET', `${PATH}/2`)).json().successor, 3)
    t.notOk((await history(service, 3)).some((change: object) => 'operation' in change), 'names no operation, because none is kept')
    t.equal(await db.operation.count(), 0)
    const after = (days: number) => new Date(Date.now() + days * 86_400_000)
    await changes.removeExpired(after(6.9))
    t.equal(await read(2), status)
    await changes.removeExpired(after(7.1))
    t.equal(await read(2), 404)
    t.equal(await db.customerChange.count(), 0)
  }
})

t.test('a merge is refused with wrong members, ETags, numbers or permissions', async t => {
  const service = await build(t, { REQUIRE_IF_MATCH: 'true' })
  const { send, register, read, issuer } = service
  const [one, two] = [await register(1), await register(2)]
  const known = { 'if-match': one }
  const refused = async (body: object, more = known) => (await merge(service, 1, body, more)).json()
  for (const [body, field] of [
    [{}, 'from'], [{ from: 1 }, 'from'], [{ from: '2' }, 'from'], [{ from: 2 ** 31 }, 'from'], [{ from: 2, fromEtag: 'x' }, 'fromEtag'],
    [{ from: 2, fromEtag: 1 }, 'fromEtag'], [{ from: 2, customerid: 1 }, 'customerid'], [{ from: 2, fromEtag: two, customerage: 'old' }, 'customerage']
  ] as const) t.match(await refused(body), { status: 400, errors: [{ field }] }, JSON.stringify(body))
  t.match(await refused({ from: 2 }), { status: 428 })
  t.match(await refused({ from: 2, fromEtag: two }, { 'if-match': two }), { status: 412 })
  t.match(await refused({ from: 2, fromEtag: one }), { status: 412, detail: 'fromEtag is not the current ETag of customer 2. Nothing was changed.' })
  t.match(await refused({ from: 9, fromEtag: '*' }), { status: 404 })
  t.match((await merge(service, 9, { from: 1, fromEtag: '*' }, { 'if-match': '*' })).json(), { status: 404 })
  for (const scope of ['customer:write', 'customer:delete', 'customer:read']) {
    const token = await issuer.mint({ claims: { scope } })
    t.equal((await send('POST', `${PATH}/1/merge`, { form: '{"from":2}', headers, token })).statusCode, 403, scope)
  }
  t.match([await read(1), await read(2)], [{ customerid: 1 }, { customerid: 2 }])
  t.equal((await merge(service, 1, { from: 2, fromEtag: two }, known)).statusCode, 200)
})

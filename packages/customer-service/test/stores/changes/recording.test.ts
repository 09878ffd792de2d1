import t from 'tap'
import { build, PATH } from '../../support/helper.js'

export const onBothDatabases = true

const form = (id: number, name = `name ${id}`) => ({ customerid: id, customername: name, customerage: 33, customeraddress: 'piliyandala' })
const values = (changes: object = {}) => ({ name: 'name 1', age: 33, address: 'piliyandala', ...changes })
const parse = (text: string | null) => text === null ? null : JSON.parse(text)

type Service = Awaited<ReturnType<typeof build>>

/** The changes of a customer, oldest first. */
async function changesOf ({ db }: Service, customerId: number) {
  const rows = await db.customerChange.findMany({ where: { customerId }, orderBy: { seq: 'asc' } })
  return rows.map(({ before, after, ...row }) => ({ ...row, before: parse(before), after: parse(after) }))
}

t.test('each change is recorded: what it was, who made it with which request, and the values before and after', async t => {
  const service = await build(t)
  const { send, issuer } = service
  const token = await issuer.mint({ claims: { sub: 'erika', client_id: 'desk' } })
  const begin = Date.now()
  const ask = async (method: string, path: string, form?: Record<string, string | number>) => {
    const { statusCode, headers } = await send(method, path, { ...form && { form }, token })
    t.ok(statusCode < 300, `${method} ${path}`)
    return `${headers['x-request-id']}`
  }
  const requests = [
    await ask('POST', PATH, form(1)),
    await ask('PUT', PATH, { customername: 'name 1', customeraddress: 'colombo' }),
    await ask('PUT', PATH, { customername: 'name 1', customeraddress: 'galle', customerid: 1 }),
    await ask('PATCH', `${PATH}/1`, { customerage: 34, customeraddress: 'galle' }),
    await ask('PUT', `${PATH}/1`, { customername: 'O"Neil', customerage: 34, customeraddress: 'Straße\n3 🏠' }),
    await ask('DELETE', `${PATH}/1`)
  ]
  const changes = await changesOf(service, 1)
  const last = { name: 'O"Neil', age: 34, address: 'Straße\n3 🏠' }
  t.same(changes.map(({ kind, fields, before, after }) => [kind, fields, before, after]), [
    ['registered', 'name,age,address', null, values()],
    ['updated', 'address', values(), values({ address: 'colombo' })],
    ['updated', 'address', values({ address: 'colombo' }), values({ address: 'galle' })],
    ['updated', 'age', values({ address: 'galle' }), values({ age: 34, address: 'galle' })],
    ['updated', 'name,address', values({ age: 34, address: 'galle' }), last],
    ['removed', 'name,age,address', last, null]
  ])
  const [{ version } = { version: 0 }] = changes
  t.same(changes.map(change => change.version - version), [0, 1, 2, 3, 4, 4])
  t.same(changes.map(({ requestId }) => requestId), requests)
  for (const { sub, clientId, position, at } of changes) {
    t.same({ sub, clientId, position }, { sub: 'erika', clientId: 'desk', position: null })
    t.ok(Math.abs(at.getTime() - begin) < 60_000)
  }
})

t.test('requests that change nothing, and repeated ones, are not recorded', async t => {
  const service = await build(t)
  const { send } = service
  const once = () => send('POST', PATH, { form: form(1), headers: { 'idempotency-key': 'k' } })
  t.same([(await once()).statusCode, (await once()).statusCode], [201, 201])
  await send('POST', PATH, { form: form(2, 'name 1') })
  const refused = [
    send('POST', PATH, { form: form(1) }),
    send('POST', PATH, { form: form(1), headers: { 'idempotency-key': 'other' } }),
    send('PUT', PATH, { form: { customername: 'name 1', customeraddress: 'colombo' } }),
    send('PUT', PATH, { form: { customername: 'unknown', customeraddress: 'colombo' } }),
    send('PATCH', `${PATH}/1`, { form: { customerage: 1 }, headers: { 'if-match': '"1-text", "2-text"' } }),
    send('DELETE', `${PATH}/1`, { headers: { 'if-match': '"1-text", "2-text"' } }),
    send('DELETE', `${PATH}/3`)
  ]
  for (const answer of refused) t.ok((await answer).statusCode >= 400)
  t.same(await service.db.customerChange.groupBy({ by: ['customerId', 'kind'], _count: true, orderBy: { customerId: 'asc' } }), [
    { customerId: 1, kind: 'registered', _count: 1 }, { customerId: 2, kind: 'registered', _count: 1 }
  ])
})

t.test('of many changes at once to two processes, each one that is committed is recorded once, in the order of the versions', async t => {
  const one = await build(t)
  const two = await build(t, { DATABASE_URL: one.config.databaseUrl, ISSUER: one.issuer.url, JWKS_URL: one.issuer.url })
  const ids = [1, 2, 3]
  const counts = { added: 0, changed: 0, removed: 0 }
  const ask = async (lane: number, step: number) => {
    const id = ids[(lane + step) % ids.length]!
    const age = { form: { customerage: step } }
    const address = { form: { customername: `name ${id}`, customeraddress: `${lane}-${step}` } }
    const once = { form: form(id), headers: { 'idempotency-key': `${lane}-${step}` } }
    const requests: Array<[kind: keyof typeof counts, method: string, path: string, options?: object]> = [
      ['added', 'POST', PATH, { form: form(id) }], ['added', 'POST', PATH, once], ['removed', 'DELETE', `${PATH}/${id}`],
      ['changed', 'PATCH', `${PATH}/${id}`, age], ['changed', 'PUT', PATH, address], ['changed', 'PUT', PATH, address]
    ]
    const [kind, method, path, options] = requests[(lane * 7 + step * 3) % requests.length]!
    const { statusCode } = await (lane % 2 === 0 ? one : two).send(method, path, { token: one.everything, ...options })
    if (statusCode < 300) counts[kind]++
  }
  await Promise.all(Array.from({ length: 24 }, async (_, lane) => {
    for (let step = 0; step < 12; step++) await ask(lane, step)
  }))

  const recorded = { added: 0, changed: 0, removed: 0 }
  for (const id of ids) {
    let known: { version: number, values: object } | null = null
    for (const { kind, version, before, after } of await changesOf(one, id)) {
      t.same(before, known?.values ?? null, 'it changed what the change before it left')
      if (kind === 'updated') t.equal(version, known!.version + 1)
      if (kind === 'removed') t.equal(version, known!.version)
      recorded[({ registered: 'added', updated: 'changed', removed: 'removed' } as const)[kind as 'registered' | 'updated' | 'removed']]++
      known = after === null ? null : { version, values: after }
    }
    const row = await one.db.customer.findUnique({ where: { id } })
    t.same(known, row === null ? null : { version: row.version, values: { name: row.name, age: row.age, address: row.address } })
  }
  t.same(recorded, counts)
  t.ok(counts.added > 3 && counts.changed > 3 && counts.removed > 3, JSON.stringify(counts))
})

t.test('with HISTORY_DAYS=0 changes are recorded without values; with FEED_DAYS=0, too, they are not recorded', async t => {
  for (const [env, count] of [[{ HISTORY_DAYS: '0' }, 3], [{ HISTORY_DAYS: '0', FEED_DAYS: '0' }, 0]] as const) {
    const service = await build(t, env)
    await service.register(1)
    await service.send('PUT', PATH, { form: { customername: 'charitha', customeraddress: 'colombo' } })
    await service.send('DELETE', `${PATH}/1`)
    const changes = await changesOf(service, 1)
    t.equal(changes.length, count)
    t.ok(changes.every(({ before, after }) => before === null && after === null))
  }
})

t.test('changes leave the history and the feed after their days', async t => {
  const day = 24 * 3_600_000
  const after = (days: number) => new Date(Date.now() + days * day + 60_000)
  const cases: Array<[env: Record<string, string>, Array<[days: number, rows: number, withValues: number]>]> = [
    [{}, [[89, 2, 2], [90, 0, 0]]],
    [{ HISTORY_DAYS: '3', FEED_DAYS: '9' }, [[2, 2, 2], [3, 2, 0], [8, 2, 0], [9, 0, 0]]]
  ]
  for (const [env, expected] of cases) {
    const service = await build(t, env)
    await service.register(1)
    await service.send('DELETE', `${PATH}/1`)
    for (const [days, rows, withValues] of expected) {
      await service.changes.removeExpired(after(days))
      const left = await changesOf(service, 1)
      t.same([left.length, left.filter(({ before, after }) => before !== null || after !== null).length], [rows, withValues], `${days} days`)
    }
  }
  // Values of a history that was turned off go at once.
  const one = await build(t)
  await one.register(1)
  const two = await build(t, { DATABASE_URL: one.config.databaseUrl, HISTORY_DAYS: '0' })
  t.equal(await two.changes.removeExpired(after(0)), 1)
  t.match(await changesOf(two, 1), [{ kind: 'registered', after: null }])
})

import t from 'tap'
import { PATH, build, type Send } from '../../support/helper.js'

export const onBothDatabases = true

const charitha = { customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' }
const HOUR = 3_600_000
type Service = Awaited<ReturnType<typeof build>>

/** Adds a customer with a key. */
const post = async ({ send }: Service, key: string, form: Send['form'] = charitha, more: Omit<Send, 'form'> = {}) =>
  await send('POST', PATH, { ...more, form, headers: { ...more.headers, 'idempotency-key': key } })

t.test('Idempotency-Key: a POST that is repeated gets the same answer with Idempotent-Replayed, and adds one customer', async t => {
  const service = await build(t)
  const first = await post(service, '"8e03978e-40d5-43dd-bc93-6894a57f9324"')
  t.equal(first.statusCode, 201)
  t.notHas(first.headers, { 'idempotent-replayed': String })
  const answer = ({ statusCode, headers }: typeof first) => ({ statusCode, location: headers.location, etag: headers.etag })
  for (const key of ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', '8e03978e-40d5-43dd-bc93-6894a57f9324']) {
    const again = await post(service, key, 'customeraddress=piliyandala&customerage=033&customername=chari%74ha&customerid=1&other=x')
    t.same(answer(again), answer(first), 'however the same values are written')
    t.equal(again.headers['idempotent-replayed'], 'true')
  }
  await service.send('PATCH', `${PATH}/1`, { form: { customerage: 34 } })
  t.same(answer(await post(service, '8e03978e-40d5-43dd-bc93-6894a57f9324')), answer(first), 'also after a change')
  await service.send('DELETE', `${PATH}/1`)
  t.same(
    answer(await post(service, '8e03978e-40d5-43dd-bc93-6894a57f9324')),
    answer(first),
    'also after it was removed, and it stays removed'
  )
  t.equal(await service.read(1), 404)
})

t.test('a POST that was refused because the identifier is taken is refused again with its key, even if it is free by now', async t => {
  const service = await build(t)
  await service.register(1, 'somebody else')
  t.match((await post(service, 'k')).json(), { status: 409, type: '/problems/customer-exists' })
  await service.send('DELETE', `${PATH}/1`)
  const again = await post(service, 'k')
  t.match(again.json(), { status: 409, type: '/problems/customer-exists' })
  t.equal(again.headers['idempotent-replayed'], 'true')
  t.equal((await post(service, 'another')).statusCode, 201)
})

t.test('a key with another customer: 422, and nothing is added', async t => {
  const service = await build(t)
  await post(service, 'k')
  for (const change of [{ customerid: 2 }, { customername: 'Charitha' }, { customerage: 34 }, { customeraddress: 'colombo' }]) {
    t.match(
      (await post(service, 'k', { ...charitha, ...change })).json(),
      { status: 422, type: '/problems/idempotency-key-reused' },
      JSON.stringify(change)
    )
  }
  t.equal(await service.db.customer.count(), 1)
})

t.test('what is not valid is not kept: corrected, it may come with the same key', async t => {
  const service = await build(t)
  t.equal((await post(service, 'k', { ...charitha, customerage: 'old' })).statusCode, 400)
  t.equal((await post(service, 'k', charitha, { token: null })).statusCode, 401)
  t.equal((await post(service, 'k')).statusCode, 201)
})

t.test('key and customer are stored together: a failure leaves neither, and the key can be used again', async t => {
  const service = await build(t)
  await service.db.$executeRawUnsafe('ALTER TABLE customer RENAME TO gone')
  t.ok((await post(service, 'k')).statusCode >= 500)
  t.equal(await service.db.idempotencyKey.count(), 0)
  await service.db.$executeRawUnsafe('ALTER TABLE gone RENAME TO customer')
  const answers = [await post(service, 'k'), await post(service, 'k')]
  t.same(answers.map(({ statusCode, headers }) => [statusCode, headers['idempotent-replayed']]), [[201, undefined], [201, 'true']])
})

t.test('a key is the caller\'s own: of the person and the app, and none of another\'s', async t => {
  const service = await build(t)
  const { issuer } = service
  t.equal((await post(service, 'k')).statusCode, 201)
  for (const [customerid, claims] of [
    [2, { sub: 'person-2' }],
    [3, { client_id: 'other-app' }],
    [4, { sub: 'desk', client_id: 'person-1' }]
  ] as const) {
    const answer = await post(service, 'k', { ...charitha, customerid }, { token: await issuer.mint({ claims }) })
    t.equal(answer.statusCode, 201, JSON.stringify(claims))
  }
  t.equal(
    (await post(service, 'k', charitha, { token: await issuer.mint() })).headers['idempotent-replayed'],
    'true',
    'with a new token of the same'
  )
  const open = await build(t, { AUTH: 'none' })
  t.same([(await post(open, 'k')).statusCode, (await post(open, 'k')).headers['idempotent-replayed']], [201, 'true'])
})

t.test('a key that is not valid: 400, and nothing is added', async t => {
  const service = await build(t)
  const wrong = [
    '',
    '""',
    '"',
    'a b',
    '"a b"',
    'a"b',
    '"a',
    '"a"; x=1',
    'a, b',
    '"a", "b"',
    'a,b',
    'é',
    '"\\x"',
    'x'.repeat(256),
    `"${'x'.repeat(256)}"`
  ]
  for (const key of wrong) {
    t.match((await post(service, key)).json(), { status: 400, type: '/problems/idempotency-key-malformed' }, key.slice(0, 20))
  }
  t.equal(await service.db.customer.count(), 0)
  for (const [index, key] of ['x'.repeat(255), `"${'\\"'.repeat(255)}"`, '"a,b;c\\\\"', '!'].entries()) {
    t.equal((await post(service, key, { ...charitha, customerid: index + 1 })).statusCode, 201, key.slice(0, 20))
  }
})

t.test('the database holds hashes: neither keys nor what was sent with them', async t => {
  const service = await build(t)
  await post(service, 'a-very-secret-key')
  const [row, ...others] = await service.db.idempotencyKey.findMany()
  t.equal(others.length, 0)
  t.match(row, { hash: /^[\w-]{43}$/, fingerprint: /^[\w-]{43}$/, customerId: 1 })
  t.notMatch(JSON.stringify(row) + service.log.join(''), /a-very-secret-key|charitha/)
})

t.test('a key is kept for 24 hours, then it may stand for something else, and is removed', async t => {
  const service = await build(t)
  const { removeExpired, db } = service
  const added = Date.now()
  const after = (hours: number) => new Date(added + hours * HOUR)
  for (const key of ['a', 'b']) await post(service, key, { ...charitha, customerid: key === 'a' ? 1 : 2 })
  t.equal(await removeExpired('idempotency key', after(23.9)), 0)
  await db.idempotencyKey.updateMany({ data: { expiresAt: new Date(added - 1) } })
  t.equal((await post(service, 'a', { ...charitha, customerid: 3 })).statusCode, 201, 'it can be used again')
  t.equal((await post(service, 'a')).statusCode, 422)
  t.equal(await removeExpired('idempotency key', after(0.1)), 1)
  t.equal(await removeExpired('idempotency key', after(24.1)), 1)
  t.equal(await db.idempotencyKey.count(), 0)
})

t.test('one process at a time cleans up, until it is late', async t => {
  const { takeLease, db } = await build(t)
  const take = (holder: string) => takeLease('clean-up', holder)
  t.equal(await take('one'), true)
  t.equal(await take('two'), false, 'it is the turn of one')
  await db.lease.updateMany({ data: { endsAt: new Date(Date.now() - 1_000) } })
  t.equal(await take('two'), true, 'one missed its turn')
  t.equal(await take('two'), true, 'the same goes on')
  t.equal(await take('one'), false)
})

t.test('a lease that a wrong clock has taken for months is free', async t => {
  const { takeLease, db } = await build(t)
  t.equal(await takeLease('clean-up', 'one'), true)
  await db.lease.updateMany({
    data: { holder: 'wrong', takenAt: new Date(Date.now() + 100 * 24 * HOUR), endsAt: new Date(Date.now() + 101 * 24 * HOUR) }
  })
  t.equal(await takeLease('clean-up', 'one'), true)
  const [lease] = await db.lease.findMany()
  t.ok(
    Math.abs(lease!.takenAt.getTime() - Date.now()) < 60_000 && lease!.endsAt.getTime() - Date.now() < 8 * 60_000,
    'it is held by the clock of the database'
  )
})

t.test('more keys than a statement removes are removed all the same', async t => {
  const { removeExpired, db } = await build(t)
  const long = new Date(Date.now() - 1000)
  await db.idempotencyKey.createMany({
    data: Array.from({ length: 1_001 }, (_, index) => ({
      hash: `${index}`,
      fingerprint: '',
      customerId: 1,
      createdAt: long,
      expiresAt: long
    }))
  })
  t.equal(await removeExpired('idempotency key', new Date()), 1_001)
})

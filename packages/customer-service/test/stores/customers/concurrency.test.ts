import t from 'tap'
import { PATH, build } from '../../support/helper.js'

export const onBothDatabases = true

const many = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const tally = (statuses: number[]) =>
  Object.fromEntries([...new Set(statuses)].map(status => [status, statuses.filter(other => other === status).length]))

t.test('50 parallel POSTs of one id: one 201, the rest 409, one row', async t => {
  const { send, db, read } = await build(t)
  const answers = await many(
    50,
    async index =>
      await send('POST', PATH, { form: { customerid: 1, customername: `name ${index}`, customerage: index, customeraddress: 'x' } })
  )
  t.same(tally(answers.map(({ statusCode }) => statusCode)), { 201: 1, 409: 49 })
  t.equal(await db.customer.count(), 1)
  const winner = answers.findIndex(({ statusCode }) => statusCode === 201)
  t.match(await read(1), { customername: `name ${winner}`, customerage: winner })
})

t.test('50 parallel PUTs with one If-Match: one 204, the rest 412', async t => {
  const { send, register, read } = await build(t)
  const etag = await register(1)
  const answers = await many(
    50,
    async index =>
      await send('PUT', PATH, { form: { customername: 'charitha', customeraddress: `address ${index}` }, headers: { 'if-match': etag } })
  )
  t.same(tally(answers.map(({ statusCode }) => statusCode)), { 204: 1, 412: 49 })
  const winner = answers.findIndex(({ statusCode }) => statusCode === 204)
  t.match(await read(1), { customeraddress: `address ${winner}` })
})

t.test('50 parallel PUTs and PATCHes by identifier with one If-Match: one 204, the rest 412', async t => {
  const { send, register, read } = await build(t)
  const etag = await register(1)
  const form = (index: number) => ({ customername: `name ${index}`, customerage: index, customeraddress: `address ${index}` })
  const answers = await many(
    50,
    async index => await send(index % 2 === 0 ? 'PUT' : 'PATCH', `${PATH}/1`, { form: form(index), headers: { 'if-match': etag } })
  )
  t.same(tally(answers.map(({ statusCode }) => statusCode)), { 204: 1, 412: 49 })
  t.match(await read(1), form(answers.findIndex(({ statusCode }) => statusCode === 204)))
})

t.test('50 parallel PUTs without If-Match: all 204, and the version counts every one', async t => {
  const { send, register } = await build(t)
  const version = (etag: unknown) => Number(String(etag).slice(1).split('-')[0])
  const before = version(await register(1))
  const answers = await many(
    50,
    async index => await send('PUT', PATH, { form: { customername: 'charitha', customeraddress: `address ${index}` } })
  )
  t.same(tally(answers.map(({ statusCode }) => statusCode)), { 204: 50 })
  t.equal(version((await send('GET', `${PATH}/1`)).headers.etag), before + 50)
})

t.test('50 parallel DELETEs: one 204, the rest 404', async t => {
  const { send, register } = await build(t)
  await register(1)
  const answers = await many(50, async () => await send('DELETE', `${PATH}/1`))
  t.same(tally(answers.map(({ statusCode }) => statusCode)), { 204: 1, 404: 49 })
})

t.test('a name that becomes ambiguous meanwhile: each PUT changes one customer or none', async t => {
  const { send, register, db } = await build(t)
  for (let round = 0; round < 20; round++) {
    await register(1)
    const [moved] = await Promise.all([
      send('PUT', PATH, { form: { customername: 'charitha', customeraddress: 'colombo' } }),
      register(2)
    ])
    const addresses = (await db.customer.findMany({ orderBy: { id: 'asc' } })).map(({ address }) => address)
    t.same(addresses, moved.statusCode === 204 ? ['colombo', 'piliyandala'] : ['piliyandala', 'piliyandala'], String(moved.statusCode))
    await db.customer.deleteMany()
  }
})

t.test(
  '50 parallel POSTs with one Idempotency-Key, to two processes: one customer; the others get its answer, or 409 while it is under way',
  async t => {
    const one = await build(t)
    const two = await build(t, { DATABASE_URL: one.config.databaseUrl, ISSUER: one.issuer.url, JWKS_URL: one.issuer.url })
    const headers = { 'idempotency-key': '"k"' }
    const ask = async (index: number) =>
      await (index % 2 === 0 ? one : two).send('POST', PATH, {
        form: { customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'x' },
        headers,
        token: one.everything
      })
    const answers = await many(50, ask)
    const added = answers.filter(({ statusCode }) => statusCode === 201)
    t.equal(added.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1, 'one was the first')
    t.equal(new Set(added.map(({ headers }) => headers.etag)).size, 1)
    for (const answer of answers) {
      if (answer.statusCode !== 201) {
        t.match(
          { ...answer.json(), after: answer.headers['retry-after'] },
          { status: 409, type: '/problems/idempotency-key-in-use', after: '1' }
        )
      }
    }
    t.equal(await one.db.customer.count(), 1)
    for (const answer of await Promise.all([ask(0), ask(1)])) t.equal(answer.headers['idempotent-replayed'], 'true', 'and afterwards')
  }
)

t.test('50 parallel POSTs with one Idempotency-Key and 50 customers: one customer, the others are refused', async t => {
  const { send, db } = await build(t)
  const answers = await many(50, async index => await send('POST', PATH, {
    form: { customerid: index + 1, customername: 'charitha', customerage: 33, customeraddress: 'x' }, headers: { 'idempotency-key': 'k' }
  }))
  t.equal(answers.filter(({ statusCode }) => statusCode === 201).length, 1)
  t.ok(answers.every(({ statusCode }) => [201, 409, 422].includes(statusCode)))
  t.equal(await db.customer.count(), 1)
})

t.test('50 parallel POSTs of one identifier with 50 Idempotency-Keys: one 201, the rest 409', async t => {
  const { send, db } = await build(t)
  const post = async (index: number) => await send('POST', PATH, {
    form: { customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'x' }, headers: { 'idempotency-key': `key-${index}` }
  })
  const answers = await many(50, async index => {
    let answer = await post(index)
    // Who waits for more than a second for a turn is refused; how many do depends on the machine.
    while (answer.statusCode === 503) answer = await post(index)
    return answer
  })
  t.same(tally(answers.map(({ statusCode }) => statusCode)), { 201: 1, 409: 49 })
  t.equal(await db.customer.count(), 1)
})

t.test('two processes on one file see the same', async t => {
  const one = await build(t)
  const two = await build(t, { DATABASE_URL: one.config.databaseUrl })
  const answers = await many(
    40,
    async index =>
      await (index % 2 === 0 ? one : two).send('POST', PATH, {
        form: { customerid: 1 + (index % 10), customername: 'a', customerage: 1, customeraddress: 'x' }
      })
  )
  t.same(tally(answers.map(({ statusCode }) => statusCode)), { 201: 10, 409: 30 })
  t.equal((await two.send('GET', `${PATH}/5`)).body, 'a')
})

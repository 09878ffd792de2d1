import t from 'tap'
import { build, PATH } from '../../support/helper.js'

export const onBothDatabases = true

const JSON_ONLY = { headers: { accept: 'application/json' } }
const values = (customeraddress: string) => ({ customername: 'charitha', customerage: 33, customeraddress })

t.test('the history of a customer is listed newest first, page by page, also after its removal', async t => {
  const { send, register, issuer } = await build(t)
  await register(1)
  await register(2)
  await send('PUT', `${PATH}/1`, { form: { customername: 'charitha', customerage: 33, customeraddress: 'colombo' } })
  await send('DELETE', `${PATH}/1`)

  const first = await send('GET', `${PATH}/1/history?limit=2`)
  t.equal(first.statusCode, 200)
  t.equal(first.headers['cache-control'], 'private, no-cache')
  const { items, next } = first.json()
  t.match(items, [
    { kind: 'removed', before: values('colombo'), after: null },
    { kind: 'updated', before: values('piliyandala'), after: values('colombo'), at: /^\d{4}-.*Z$/, requestId: /./, sub: /./, client_id: /./ }
  ])
  const last = (await send('GET', `${PATH}/1/history?limit=2&cursor=${next}`)).json()
  t.match(last.items, [{ kind: 'registered', before: null, after: values('piliyandala') }])
  t.equal(last.items[0].version, items[1].version - 1)
  t.notOk('next' in last)

  t.match((await send('GET', `${PATH}/3/history`)).json(), { status: 404, detail: 'There is no customer with the identifier 3, and no history.' })
  t.match((await send('GET', `${PATH}/1/history?limit=0&cursor=MA&sort=id`)).json(), { status: 400, errors: [{ field: 'limit' }, { field: 'cursor' }, { field: 'sort' }] })
  t.equal((await send('GET', `${PATH}/1/history`, { token: await issuer.mint({ claims: { scope: 'customer:write' } }) })).statusCode, 403)
  t.equal((await send('POST', `${PATH}/1/history`)).headers.allow, 'GET, HEAD, OPTIONS')
})

t.test('as_of reads a customer as it was, as text or JSON, without an ETag', async t => {
  const { send, register, db } = await build(t)
  const times: string[] = []
  /** A time between the change before and the next one, by the clock that the changes are recorded with. */
  const mark = async () => {
    const newest = (await db.customerChange.findMany({ orderBy: { seq: 'desc' }, take: 1 }))[0]!
    const at = new Date(Date.now() - (4 - times.length) * 60_000)
    await db.customerChange.update({ where: { seq: newest.seq }, data: { at } })
    times.push(new Date(at.getTime() + 1_000).toISOString())
  }
  await register(1)
  await mark()
  await send('PUT', PATH, { form: { customername: 'charitha', customeraddress: 'colombo' } })
  await mark()
  await send('DELETE', `${PATH}/1`)
  await mark()
  const read = (time: string, options = {}) => send('GET', `${PATH}/1?as_of=${time}`, options)
  const [added, moved, removed] = times as [string, string, string]

  t.match(await read(added), { statusCode: 200, body: 'charitha', headers: { etag: undefined, 'content-type': 'text/plain; charset=utf-8' } })
  t.same((await read(added, JSON_ONLY)).json(), { customerid: 1, ...values('piliyandala') })
  t.same((await read(moved, JSON_ONLY)).json(), { customerid: 1, ...values('colombo') })
  const absent = 'There was no customer with the identifier 1 at this time.'
  t.match((await read(removed)).json(), { status: 404, detail: absent })
  t.match((await read(new Date(Date.parse(added) - 60_000).toISOString())).json(), { status: 404, detail: absent })
  t.match((await read('2020-01-01T00:00:00Z')).json(), { status: 404, detail: 'The history of customer 1 does not go back to this time.' })
  t.match((await read('2999-01-01T00:00:00Z')).json(), { status: 400, errors: [{ field: 'as_of', detail: 'Must not be in the future.' }] })
  for (const time of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00%2B14:00']) t.equal((await read(time)).statusCode, 404, time)
  t.match((await read('yesterday')).json(), { status: 400, errors: [{ field: 'as_of' }] })
  t.match((await read(`${added}&as_of=${added}`)).json(), { status: 400, errors: [{ field: 'as_of', detail: 'Must be sent once.' }] })
})

t.test('as_of knows customers that are older than the history: as they are, or as they were before their first change', async t => {
  const { send, register, db } = await build(t)
  const hours = (count: number) => new Date(Date.now() - count * 3_600_000)
  for (const id of [1, 2]) await register(id)
  await db.customerChange.deleteMany()
  await db.customer.updateMany({ data: { createdAt: hours(3), updatedAt: hours(2) } })
  await send('PATCH', `${PATH}/2`, { form: { customeraddress: 'colombo' } })
  const read = async (id: number, time: Date) => {
    const answer = await send('GET', `${PATH}/${id}?as_of=${time.toISOString()}`, JSON_ONLY)
    return answer.statusCode === 200 ? answer.json().customeraddress : answer.json().detail
  }
  t.equal(await read(1, hours(1)), 'piliyandala')
  t.equal(await read(1, hours(2.5)), 'The history of customer 1 does not go back to this time.', 'nothing says what changed later')
  t.equal(await read(1, hours(4)), 'There was no customer with the identifier 1 at this time.')
  t.equal(await read(2, hours(1)), 'piliyandala')
})

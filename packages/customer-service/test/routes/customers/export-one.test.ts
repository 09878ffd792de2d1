import t from 'tap'
import { build, PATH } from '../../support/helper.js'

export const onBothDatabases = true

const form = { customerid: 1, customername: 'charitha', customerage: 33, customeraddress: 'piliyandala' }

t.test('export returns everything that is held about a customer, with a history of several pages', async t => {
  const { send, history, issuer, run } = await build(t)
  const get = async (path = `${PATH}/1/export`, options = {}) => await send('GET', path, options)
  t.match((await get()).json(), { status: 404, detail: 'There is no data about a customer with the identifier 1.' })
  await send('POST', PATH, { form, headers: { 'idempotency-key': 'k' } })
  t.equal((await get(undefined, { token: await issuer.mint({ claims: { scope: 'customer:write' } }) })).statusCode, 403)

  const answer = await get()
  t.equal(answer.statusCode, 200)
  t.match(answer.headers, {
    'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'content-disposition': 'attachment; filename="customer-1.json"'
  })
  const { customer, storedAnswers, history: changes } = answer.json()
  t.match(customer, { ...form, etag: /^"\d+-json"$/, created: /Z$/, updated: /Z$/ })
  t.match(storedAnswers, [{ version: Number(/\d+/.exec(customer.etag)![0]), created: /Z$/, expires: /Z$/ }])
  t.match(changes, [{ kind: 'registered', before: null, after: { customername: 'charitha' }, sub: /./ }])
  const head = await send('HEAD', `${PATH}/1/export`)
  t.match(head, { statusCode: 200, body: '', headers: { 'content-disposition': /customer-1/ } })

  await send('DELETE', `${PATH}/1`)
  const copies = Array.from({ length: 450 }, (_, version) => `(1, ${version}, 'updated', '2026-01-01 00:00:00', 'age')`).join()
  await run({ sql: `INSERT INTO customer_change (customer_id, version, kind, at, fields) VALUES ${copies}`, args: [] })
  const document = (await get()).json()
  t.equal(document.customer, null)
  t.equal(document.history.length, 452)
  const versions = document.history.slice(0, 450).map(({ version }: { version: number }) => version)
  t.same(versions, Array.from({ length: 450 }, (_, index) => 449 - index))

  const { list } = history
  history.list = async (id, limit, before) => {
    if (before !== undefined) throw new Error('the database fails')
    return await list(id, limit)
  }
  await t.rejects(get(), 'what is not complete does not end as it should')
})

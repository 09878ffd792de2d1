import t from 'tap'
import { build, PATH } from '../../support/helper.js'

export const onBothDatabases = true

t.test('possible duplicates are listed page by page, and dismissed', async t => {
  const { send, register, issuer } = await build(t)
  await register(1, 'Amélie', 'Rue Lepic 15, Paris')
  await register(2, 'amelie', '15 rue Lepic')
  await register(3, 'AMELIE', 'rue Lepic')
  await register(4, 'Ann', 'Rue Lepic 15, Paris')
  const list = async (query = '') => await send('GET', `${PATH}/duplicates${query}`)
  const answer = await list('?limit=1')
  t.match(answer, { statusCode: 200, headers: { 'cache-control': 'private, no-cache', 'content-type': 'application/json; charset=utf-8' } })
  const { items: [pair], next } = answer.json()
  const record = async (id: number) => (await send('GET', PATH)).json().items.find((it: { customerid: number }) => it.customerid === id)
  t.same(pair, { customers: [await record(1), await record(2)], similar: ['address', 'age'] })
  const rest = (await list(`?limit=200&cursor=${next}`)).json()
  t.match(rest, { items: [{ customers: [{ customerid: 1 }, { customerid: 3 }] }], next: undefined })
  t.equal(rest.items.length, 1)

  const headers = { 'content-type': 'application/json' }
  const dismiss = async (body: unknown, token?: string) =>
    await send('POST', `${PATH}/duplicates/dismiss`, { form: JSON.stringify(body), headers, ...token === undefined ? {} : { token } })
  t.equal((await dismiss({ customers: [2, 1] })).statusCode, 204)
  t.match((await list()).json().items, [{ customers: [{ customerid: 1 }, { customerid: 3 }] }])
  for (const customers of [[1, 9], [9, 1]]) {
    t.match((await dismiss({ customers })).json(), { status: 404, detail: 'There is no customer with the identifier 9.' })
  }
  for (const customers of [[1, 1], [1], [1, 2, 3], ['1', 2], [1.5, 2], [1, 2 ** 31], 1, null, undefined]) {
    t.match((await dismiss({ customers })).json(), { status: 400, errors: [{ field: 'customers' }] }, JSON.stringify(customers))
  }
  t.match((await dismiss({ customers: [1, 2], more: 1 })).json(), { status: 400, errors: [{ field: 'more' }] })
  t.equal((await send('POST', `${PATH}/duplicates/dismiss`, { form: 'customers=1' })).statusCode, 415)

  await send('POST', `${PATH}/3/merge`, { form: '{"from":4}', headers })
  t.match((await dismiss({ customers: [1, 4] })).json(), { status: 410, type: '/problems/customer-merged', successor: 3 })

  t.match((await list('?cursor=x&limit=0&sort=id')).json(), { status: 400, errors: [{ field: 'cursor' }, { field: 'limit' }, { field: 'sort' }] })
  const [reader, writer] = [await issuer.mint({ claims: { scope: 'customer:read' } }), await issuer.mint({ claims: { scope: 'customer:write' } })]
  t.equal((await send('GET', `${PATH}/duplicates`, { token: writer })).statusCode, 403)
  t.equal((await dismiss({ customers: [1, 2] }, reader)).statusCode, 403)
  t.equal((await send('DELETE', `${PATH}/duplicates`)).headers.allow, 'GET, HEAD, OPTIONS')
})

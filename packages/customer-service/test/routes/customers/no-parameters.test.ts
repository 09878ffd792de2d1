import t from 'tap'
import { build, PATH } from '../../support/helper.js'

const json = { 'content-type': 'application/json' }
const values = { customername: 'Ben', customerage: 1, customeraddress: 'Bern' }

t.test('a write without parameters refuses those of other operations, and changes nothing', async t => {
  const service = await build(t)
  const { send, register } = service
  for (const id of [1, 2]) await register(id)
  const reader = await service.issuer.mint({ claims: { scope: 'customer:read' } })
  const [{ version }] = (await send('GET', `${PATH}/1/history`)).json().items
  const before = await service.db.customer.findMany()
  const table = [
    ['POST', '/1/merge', { from: 2 }], ['POST', '/duplicates/dismiss', { customers: [1, 2] }], ['POST', `/1/history/${version}/restore`],
    ['POST', '/1/erase'], ['PATCH', '/1', values], ['PUT', '/1', values]
  ] as const
  for (const [method, path, body] of table) {
    const sent = body === undefined ? {} : { form: JSON.stringify(body), headers: json }
    t.match((await send(method, `${PATH}${path}?dry_run=true&foo=1`, sent)).json(), {
      status: 400,
      type: '/problems/query-invalid',
      errors: [{ field: 'dry_run', detail: 'There is no such parameter.' }, { field: 'foo', detail: 'There is no such parameter.' }]
    }, `${method} ${path}`)
    t.equal((await send(method, `${PATH}${path}?`, { ...sent, token: reader })).statusCode, 403)
  }
  t.match((await send('POST', `${PATH}/1/erase`, { form: 'dry_run=true' })).json(), { status: 415, detail: 'Send no body.' })
  t.same(await service.db.customer.findMany(), before)
  t.equal(await service.db.dismissedPair.count(), 0)
})

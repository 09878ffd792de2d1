import t from 'tap'
import { build, PATH } from '../../support/helper.js'

export const onBothDatabases = true

type Service = Awaited<ReturnType<typeof build>>

/** The numbers on each page of the removed customers. */
async function pagesOf ({ send }: Service, query = ''): Promise<number[][]> {
  const pages: number[][] = []
  for (let cursor = ''; ;) {
    const { items, next } = (await send('GET', `${PATH}/removed?${query}${cursor}`)).json()
    pages.push(items.map(({ customerid }: { customerid: number }) => customerid))
    if (next === undefined) return pages
    cursor = `&cursor=${next}`
  }
}

t.test('removed customers are listed newest first, page by page, and restored with their version', async t => {
  const service = await build(t)
  const { send, register, read, issuer } = service
  t.same(await pagesOf(service), [[]])
  for (const id of [1, 2, 3, 4]) await register(id)
  await send('PATCH', `${PATH}/2`, { form: { customername: 'Zoë', customerage: 40, customeraddress: 'Rue Lepic 15' } })
  for (const id of [1, 2, 3]) await send('DELETE', `${PATH}/${id}`)
  t.same(await pagesOf(service, 'limit=2'), [[3, 2], [1]])
  const answer = await send('GET', `${PATH}/removed`)
  t.match(answer, { statusCode: 200, headers: { 'cache-control': 'private, no-cache', 'content-type': 'application/json; charset=utf-8' } })
  const [, zoe] = answer.json().items
  t.match(zoe, { customerid: 2, customername: 'Zoë', customerage: 40, customeraddress: 'Rue Lepic 15', at: /^\d{4}-.*Z$/, sub: /./, client_id: /./ })

  t.equal((await send('POST', `${PATH}/2/history/${zoe.version}/restore`)).statusCode, 201)
  t.same(await read(2), { customerid: 2, customername: 'Zoë', customerage: 40, customeraddress: 'Rue Lepic 15' })
  t.same(await pagesOf(service), [[3, 1]])
  await send('DELETE', `${PATH}/2`)
  t.same(await pagesOf(service), [[2, 3, 1]], 'a number is listed once, with its last removal')
  await register(3)
  t.same(await pagesOf(service), [[2, 1]], 'the number is in use again')

  const errors = [{ field: 'q' }, { field: 'limit' }, { field: 'cursor' }, { field: 'sort' }]
  t.match((await send('GET', `${PATH}/removed?q=!&limit=0&cursor=MA&sort=id`)).json(), { status: 400, errors })
  t.equal((await send('GET', `${PATH}/removed`, { token: await issuer.mint({ claims: { scope: 'customer:write' } }) })).statusCode, 403)
  t.equal((await send('POST', `${PATH}/removed`)).headers.allow, 'GET, HEAD, OPTIONS')
})

t.test('removed customers are found by words of their name and address', async t => {
  const service = await build(t)
  const { send } = service
  const people = [['Amélie Poulain', 'Rue Lepic 15, Paris'], ['Łukasz Nowak', 'Piotrkowska 1, Łódź'], ['Amelie Nowak', 'Rue Cler 2, Paris'], ['山田太郎', '']]
  for (const [index, [customername = '', customeraddress = '']] of people.entries()) {
    await send('POST', PATH, { form: { customerid: index, customername, customerage: 33, customeraddress } })
    await send('DELETE', `${PATH}/${index}`)
  }
  const found = { amelie: [2, 0], 'nowak+lodz': [1], 'PARIS+am': [2, 0], melie: [], 15: [0], 太郎: [3], '%232': [2], 33: [3, 2, 1, 0], 2: [2], '33-34': [3, 2, 1, 0] }
  for (const [q, ids] of Object.entries(found)) t.same(await pagesOf(service, `q=${encodeURI(q).replace('%25', '%')}`), [ids], q)
  t.same(await pagesOf(service, 'q=amelie&limit=1'), [[2], [0]])
})

t.test('erased customers are not listed, nor those whose history has expired', async t => {
  const service = await build(t, { HISTORY_DAYS: '1', FEED_DAYS: '2' })
  const { send, register, changes } = service
  for (const id of [1, 2]) {
    await register(id)
    await send('DELETE', `${PATH}/${id}`)
  }
  t.equal((await send('POST', `${PATH}/1/erase`)).statusCode, 200)
  t.same(await pagesOf(service), [[2]])
  await changes.removeExpired(new Date(Date.now() + 1.5 * 24 * 3_600_000))
  t.same(await pagesOf(service), [[]])
})

t.test('a page examines at most 5,000 removals, and the next one continues', async t => {
  const service = await build(t)
  const { db, register } = service
  const removal = (customerId: number) => ({
    customerId, version: 1, kind: 'removed', at: new Date(), fields: 'name,age,address', before: JSON.stringify({ name: 'a', age: 1, address: 'b' })
  })
  await db.customerChange.create({ data: removal(1) })
  await db.customerChange.createMany({ data: Array.from({ length: 5_200 }, () => removal(2)) })
  await register(2)
  t.same(await pagesOf(service), [[], [1]], 'the number 2 is in use')
})

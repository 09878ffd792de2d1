import t from 'tap'
import { build, PATH } from '../../support/helper.js'

export const onBothDatabases = true

const ids = (items: Array<{ customerid: number }>) => items.map(({ customerid }) => customerid)

t.test('a search finds numbers, ages and words; the customer of the number comes first, then those of the name', async t => {
  const { send } = await build(t)
  const people: Array<[id: number, name: string, age: number, address: string]> = [
    [34, 'Zoe', 20, ''], [1, 'Ann', 34, ''], [2, '34', 1, ''], [3, 'Ben', 2, 'Street 34b'], [4, 'Erika Müller', 40, 'Galle'], [5, 'MULLER ERIKA', 41, '']
  ]
  for (const [customerid, customername, customerage, customeraddress] of people) {
    await send('POST', PATH, { form: { customerid, customername, customerage, customeraddress } })
  }
  const table: Array<[q: string, sort: string, found: number[]]> = [
    ['34', 'id', [34, 2, 1, 3]],
    ['34', '-age', [34, 2, 1, 3]],
    ['34', 'address', [34, 2, 1, 3]],
    ['#34', 'name', [34]],
    ['No. 1', 'name', [1]],
    ['#6', 'name', []],
    ['34-40', 'id', [1, 4]],
    ['> 40', 'id', [5]],
    ['<3', '-id', [3, 2]],
    ['müller erika', 'id', [5, 4]],
    ['Erika Müller', '-id', [4, 5]],
    ['müller galle', 'id', [4]]
  ]
  for (const [q, sort, found] of table) {
    const list = `${PATH}?${new URLSearchParams({ q, sort, total: 'true' }).toString()}`
    const { items, next, total } = (await send('GET', list)).json()
    t.same(ids(items), found, q)
    t.same([next, total], [undefined, { count: found.length, more: false }], q)
    const pages: number[][] = []
    let cursor = ''
    do {
      const { items, next = '' }: { items: Array<{ customerid: number }>, next?: string } = (await send('GET', `${list}&limit=1${cursor}`)).json()
      pages.push(ids(items))
      cursor = next && `&cursor=${next}`
    } while (cursor !== '')
    t.same(pages, found.length === 0 ? [[]] : found.map(id => [id]), `${q}, page by page`)
  }
  const first = (await send('GET', `${PATH}?q=34&limit=1`)).json()
  t.equal((await send('GET', `${PATH}?q=35&limit=1&cursor=${first.next}`)).statusCode, 400, 'a cursor is for one search')
})

import t from 'tap'
import { build, buildOnce, PATH } from '../../support/helper.js'

export const onBothDatabases = true

/** Identifiers on a page. */
const ids = (body: string) => JSON.parse(body).items.map(({ customerid }: { customerid: number }) => customerid)

/** The address of a relation in `Link` (RFC 8288). */
const link = (header: unknown, relation: string) => new RegExp(`<([^>]*)>; rel="${relation}"`).exec(String(header))?.[1]

t.test('GET on the register lists customers page by page: next in the body and in Link lead through all of them', async t => {
  const { send, register } = await build(t)
  for (let id = 1; id <= 5; id++) await register(id, `name ${id}`)
  const first = await send('GET', `${PATH}?limit=2`)
  t.equal(first.statusCode, 200)
  t.match(first.headers, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-cache', vary: /Accept/ })
  t.same(ids(first.body), [1, 2])
  t.equal(link(first.headers.link, 'first'), `${PATH}?limit=2`)
  t.equal(link(first.headers.link, 'next'), `${PATH}?limit=2&cursor=${first.json().next}`)
  const second = await send('GET', link(first.headers.link, 'next') ?? '')
  t.same(ids(second.body), [3, 4])
  const last = await send('GET', link(second.headers.link, 'next') ?? '')
  t.same(ids(last.body), [5])
  t.notOk('next' in last.json())
  t.equal(link(last.headers.link, 'next'), undefined)
})

t.test('a customer in a list is the whole record, with what a change needs', async t => {
  const { send, register, read } = await build(t)
  await register(7, 'Zoë', 'Rue 1')
  const [item] = (await send('GET', PATH)).json().items
  const alone = await send('GET', `${PATH}/7`, { headers: { accept: 'application/json' } })
  t.match(item, await read(7))
  t.equal(item.etag, alone.headers.etag)
  t.equal(item.href, `${PATH}/7`)
  t.ok(Math.abs(Date.now() - Date.parse(item.created)) < 60_000)
  t.equal(item.updated, item.created)
  await send('PUT', PATH, { form: { customername: 'Zoë', customeraddress: 'Rue 2' }, headers: { 'if-match': item.etag } })
  const [moved] = (await send('GET', `${PATH}?q=rue+2`)).json().items
  t.match(moved, { customeraddress: 'Rue 2', created: item.created })
  t.same(ids((await send('GET', `${PATH}?q=rue+1`)).body), [])
})

t.test('filters: name, the beginning of the name, words anywhere, age and time; case and accents make no difference', async t => {
  const { send, register } = await build(t)
  await register(1, 'Amélie Poulain', 'Rue Lepic 15')
  await register(2, 'amelie', 'Lepic Court')
  await register(3, 'Bob', 'Ámos út')
  const since = encodeURIComponent(new Date(Date.now() + 60_000).toISOString())
  const table: Array<[query: string, found: number[]]> = [
    ['', [1, 2, 3]],
    ['?', [1, 2, 3]],
    ['?name=AMELIE', [2]],
    ['?name_prefix=am%C3%A9', [1, 2]],
    ['?q=LEP', [1, 2]],
    ['?q=lepic+am+rue', [1]],
    ['?q=epic', []],
    ['?q=%C3%A1mos', [3]],
    ['?age_gte=33&age_lte=33', [1, 2, 3]],
    ['?age_lte=32', []],
    [`?updated_since=${since}`, []],
    ['?updated_since=2020-02-29t12:00:00%2B02:00', [1, 2, 3]],
    ['?sort=-id', [3, 2, 1]],
    ['?sort=name', [2, 1, 3]],
    ['?sort=-name&name_prefix=a', [1, 2]],
    ['?sort=-age', [3, 2, 1]],
    ['?sort=address', [3, 2, 1]],
    ['?sort=-address&q=lepic', [1, 2]],
    ['?sort=updated&limit=200', [1, 2, 3]],
    ['?name=Bob&name_prefix=a', []],
    ['?name=%F0%9F%99%82', []]
  ]
  for (const [query, found] of table) {
    const { body } = await send('GET', PATH + query)
    t.same(query.includes('sort=updated') ? ids(body).sort() : ids(body), found, query)
  }
  t.same((await send('GET', `${PATH}?q=lepic&total=true&limit=1`)).json().total, { count: 2, more: false })
  t.notOk('total' in (await send('GET', `${PATH}?total=false`)).json())
})

t.test('all invalid parameters are reported together, with suggestions', async t => {
  const { send } = await buildOnce(t)
  const { statusCode, body } = await send(
    'GET',
    `${PATH}?limt=10&sort=size&age_gte=old&q=!!&limit=0&name-prefix=a&total=yes&updated_since=2026-02-30T00:00:00Z&limit2=&colour=red&Sort=id`
  )
  t.equal(statusCode, 400)
  const problem = JSON.parse(body)
  t.match(problem.type, /\/problems\/query-invalid$/)
  t.same(Object.fromEntries(problem.errors.map(({ field, detail }: { field: string, detail: string }) => [field, detail.slice(0, 52)])), {
    limt: 'There is no such parameter; did you mean `limit`?',
    sort: 'Must be one of id, -id, name, -name, age, -age, addr',
    age_gte: 'Must be a whole number from -2147483648 to 214748364',
    q: 'Must have a letter or a digit.',
    limit: 'Must be a whole number from 1 to 200, in digits.',
    'name-prefix': 'There is no such parameter; did you mean `name_prefi',
    total: 'Must be one of true, false.',
    updated_since: 'Must be a time such as 2030-12-31T23:59:59Z (RFC 333',
    limit2: 'There is no such parameter; did you mean `limit`?',
    colour: 'There is no such parameter. There are name, name_pre',
    Sort: 'There is no such parameter; did you mean `sort`?'
  })
  for (const query of [
    'limit=1&limit=1',
    'limit=201',
    'limit=1e1',
    'limit=',
    'name_prefix=',
    'name=%00',
    'name=%FF',
    'q=%',
    `q=${[1, 2, 3, 4, 5, 6, 7, 8, 9].join('+')}`,
    `name=${'a'.repeat(101)}`,
    'updated_since=2026-01-01',
    'updated_since=2026-01-01T00:00:00+02:00',
    '__proto__=1',
    'constructor=1',
    '=1'
  ]) {
    const answer = await send('GET', `${PATH}?${query}`)
    t.equal(answer.statusCode, 400, query)
    t.match(answer.json().type, /query-invalid$/, query)
  }
})

t.test('a cursor is for one list: with other filters or another sort, changed or made up, it is refused', async t => {
  const { send, register } = await build(t)
  await register(1)
  await register(2)
  const cursors = Object.fromEntries(
    await Promise.all(['id', 'name', '-updated'].map(async sort => [sort, (await send('GET', `${PATH}?limit=1&sort=${sort}`)).json().next]))
  )
  t.equal((await send('GET', `${PATH}?sort=name&limit=7&total=true&cursor=${cursors.name}`)).statusCode, 200, 'limit and total may change')
  for (const query of [
    `cursor=${cursors.name}`,
    `sort=name&cursor=${cursors['-updated']}`,
    `sort=-name&cursor=${cursors.name}`,
    `name_prefix=c&sort=name&cursor=${cursors.name}`,
    `sort=name&cursor=${cursors.name}A`,
    'cursor=',
    'cursor=abc',
    'cursor=%22',
    `cursor=${Buffer.from('["x",1]').toString('base64url')}`,
    `cursor=${cursors.id}=`
  ]) {
    const { statusCode, body } = await send('GET', `${PATH}?${query}`)
    t.equal(statusCode, 400, query)
    t.equal(JSON.parse(body).errors[0].field, 'cursor', query)
  }
})

t.test('lists need customer:read, and are JSON: 401, 403, 406 before 400; HEAD as GET', async t => {
  const { send, issuer } = await buildOnce(t)
  t.equal((await send('GET', `${PATH}?limt=1`, { token: null })).statusCode, 401)
  t.equal(
    (await send('GET', `${PATH}?limt=1`, { token: await issuer.mint({ claims: { scope: 'customer:write customer:delete' } }) })).statusCode,
    403
  )
  t.equal((await send('GET', PATH, { token: await issuer.mint({ claims: { scope: 'customer:read' } }) })).statusCode, 200)
  for (const accept of ['text/plain', 'text/html', 'application/json;q=0']) {
    t.equal((await send('GET', `${PATH}?limt=1`, { headers: { accept } })).statusCode, 406, accept)
  }
  for (const accept of ['*/*', 'application/*', 'text/plain, application/json;q=0.1', 'application/json; charset=UTF-8', '', ',']) {
    t.equal((await send('GET', PATH, { headers: { accept } })).statusCode, 200, accept)
  }
  const head = await send('HEAD', `${PATH}/?limit=3`)
  t.equal(head.body, '')
  t.match(head, { statusCode: 200, headers: { link: `<${PATH}?limit=3>; rel="first"` } })
})

t.test('below a public address, links and customers have it', async t => {
  const { send, register } = await build(t, { SERVICE_ROOT: 'https://api.example/crm' }).then(it => ({
    ...it,
    register: async (id: number) =>
      await it.send('POST', `/crm${PATH}`, { form: { customerid: id, customername: 'a', customerage: 1, customeraddress: 'x' } })
  }))
  await register(1)
  await register(2)
  const { headers, body } = await send('GET', `/crm${PATH}?limit=1`)
  t.match(link(headers.link, 'next'), `https://api.example/crm${PATH}?limit=1&cursor=`)
  t.equal(JSON.parse(body).items[0].href, `https://api.example/crm${PATH}/1`)
})
